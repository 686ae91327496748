"""Where the growth went, and what is to be done: ledger, findings, diagnosis."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from labkit.record.run import Stretch
from labkit.record.verdict import Verdict

UNEXPLAINED = "unexplained"


@dataclass(frozen=True)
class LedgerRow:
    """The part of the growth that one place holds.

    Args:
        place: A measured place, or ``unexplained``.
        seconds: Growth per step booked here, in seconds from the first level to the last.
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

    def as_json(self) -> list[dict[str, object]]:
        """Return the rows as plain dictionaries."""
        return [
            {"place": row.place, "seconds": row.seconds, "share": row.share, "low": row.low,
             "high": row.high}
            for row in self.rows
        ]  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One cause with its proof and its fix.

    Args:
        cause: The slug of the cause.
        kind: What it does: makes steps grow, makes spikes, costs the same each step, keeps memory.
        share: Its part of the growth, of the spikes or of the step, from 0 to 1.
        proof: The measured facts, in one or two sentences.
        fix: The smallest repair, as code.
    """

    cause: str
    kind: Literal["growth", "spikes", "cost", "memory"]
    share: float
    proof: str
    fix: str


@dataclass(frozen=True)
class Memory:
    """Whether the loop keeps memory or other things step after step.

    Args:
        label: ``flat`` or ``leaking``.
        bytes_per_step: Growth of resident memory per step.
        grows: The counters that rise for ever.
        known: Whether all that lives was counted often enough to tell; a short run that is called
            flat may keep things all the same.
    """

    label: Literal["flat", "leaking"]
    bytes_per_step: float
    grows: tuple[str, ...] = ()
    known: bool = True


@dataclass(frozen=True)
class Diagnosis:
    """Verdict, memory verdict, ledger and ranked findings; no finding means "no cause found"."""

    verdict: Verdict
    memory: Memory
    ledger: Ledger
    findings: tuple[Finding, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the diagnosis as plain dictionaries and lists."""
        return {
            "verdict": self.verdict.as_json(),
            "memory": asdict(self.memory),
            "ledger": self.ledger.as_json(),
            "findings": [asdict(finding) for finding in self.findings],
        }


@dataclass(frozen=True)
class Judgement:
    """What can be said of one run: a verdict for each stretch between two flips, and the ledger.

    Args:
        stretches: The stretches, in order.
        verdicts: One verdict for each stretch.
        ledger: Where the growth of the first slowing stretch went.
        provisional: Whether the run was still going when this was said.
    """

    stretches: tuple[Stretch, ...]
    verdicts: tuple[Verdict, ...]
    ledger: Ledger
    provisional: bool = False

    @property
    def main(self) -> Verdict:
        """The verdict that speaks for the run, the first slower one, else the longest stretch's."""
        for verdict in self.verdicts:
            if verdict.slower:
                return verdict
        return max(self.verdicts, key=lambda verdict: verdict.steps)
