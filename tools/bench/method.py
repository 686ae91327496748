"""A method that judges step times: ours, or a rival's way to say the same kind of thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from labkit.record import Verdict
from labkit.record.verdict import Label
from tests.stats.noises import Numbers


@dataclass(frozen=True)
class Method:
    """One method.

    Args:
        name: What it is called in a table.
        judge: Step times in, a verdict out.
        labels: What it can say beside ``flat``; what it has no word for is not held against it.
        most_steps: The longest series it bears in a few seconds.
    """

    name: str
    judge: Callable[[Numbers], Verdict]
    labels: tuple[Label, ...]
    most_steps: int = 100_000


def claim(
    label: Label,
    *,
    growth: float | None = None,
    low: float | None = None,
    high: float | None = None,
    onset: int | None = None,
) -> Verdict:
    """Return what a rival claims, in our words; a level it says nothing of is left out."""
    return Verdict(label, growth, low, high, onset_step=onset)
