"""A question that is asked of every outcome of a kind, and counted into a figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from tools.bench.figure import Figure

Of = TypeVar("Of")


@dataclass(frozen=True)
class Asked(Generic[Of]):
    """One line of a table: of which outcomes something is counted, and the share that is good."""

    name: str
    right: Callable[[Of], bool]
    goal: float | None = None
    more_is_better: bool = True
    among: Callable[[Of], bool] = lambda one: True

    def figure(self, group: str, outcomes: Sequence[Of]) -> Figure | None:
        """Return the figure; None where no outcome is asked about."""
        asked = [outcome for outcome in outcomes if self.among(outcome)]
        if not asked:
            return None
        counted = sum(map(self.right, asked))
        return Figure(
            group, self.name, 100 * counted / len(asked), "%", self.goal,
            f"{counted} of {len(asked)}", self.more_is_better,
        )  # fmt: skip
