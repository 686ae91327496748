"""What one column of a run's steps holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["clock", "place", "counter", "machine"]


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
