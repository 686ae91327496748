"""Where the growth went, what is kept, and what is to be done: ledger, memory, findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from labkit.record.proof import Proof

UNEXPLAINED = "unexplained"


@dataclass(frozen=True)
class LedgerRow:
    """The part of the growth that one place holds.

    Args:
        place: The column of a measured place, a line of code, or ``unexplained``.
        seconds: Growth per step attributed to it, in seconds from the first level to the last.
        share: `seconds` over the whole growth.
        low: Lower end of the 95 % interval of `seconds`, where one was computed.
        high: Upper end of it.
    """

    place: str
    seconds: float
    share: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Ledger:
    """Where the growth of a step went; empty where nothing grew.

    Args:
        growth_seconds: How much longer a step took at the end than at the start.
        rows: Largest first; the last row is always ``unexplained``.
    """

    growth_seconds: float = 0.0
    rows: tuple[LedgerRow, ...] = ()

    @property
    def explained(self) -> float:
        """The share of the growth that measured places hold; 0 where nothing grew."""
        return sum(row.share for row in self.rows if row.place != UNEXPLAINED)


@dataclass(frozen=True)
class Finding:
    """One cause with its proof and its fix.

    Args:
        cause: The slug of the cause.
        kind: What it does: makes steps grow, makes spikes, costs the same each step, keeps memory.
        share: Its part of the growth, of the spikes or of the step, from 0 to 1.
        proof: The measured facts.
        fix: The code of the smallest repair, as `labkit.show.report.fixes` has it.
    """

    cause: str
    kind: Literal["growth", "spikes", "cost", "memory"]
    share: float
    proof: Proof
    fix: str


@dataclass(frozen=True)
class Memory:
    """Whether the loop keeps memory or other things step after step.

    Args:
        label: ``flat`` or ``leaking``.
        bytes_per_step: Growth of resident memory per step.
        grows: The counters that rise for ever, by name; what is kept is named ``kept/...``.
        known: Whether everything alive was counted often enough to tell; a short run that is called
            flat may keep things all the same.
    """

    label: Literal["flat", "leaking"]
    bytes_per_step: float
    grows: tuple[str, ...] = ()
    known: bool = True
