"""What one column of a run's steps holds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from labkit.record.plain_text import one_line

Kind = Literal["clock", "place", "counter", "machine"]
MOST_LETTERS = 100


@dataclass(frozen=True)
class Column:
    """One number recorded at every step.

    Args:
        name: The column's identifier, for example ``"graph_ops"``.
        title: What a learner reads beside it, for example ``"ops in the graph"``.
        unit: ``"s"``, ``"bytes"``, or what is counted, for example ``"ops"``.
        kind: ``"clock"`` times the step itself; ``"place"`` is the part of the step's seconds
            spent at one choke point, and a row of the ledger; ``"counter"`` counts something of
            the loop; ``"machine"`` is about the computer rather than the loop.
    """

    name: str
    title: str
    unit: str
    kind: Kind

    @property
    def shown(self) -> Column:
        """The same with a title and a unit that can be shown, of 100 letters at most."""
        title, unit = (one_line(each, MOST_LETTERS) for each in (self.title, self.unit))
        return replace(self, title=title, unit=unit)
