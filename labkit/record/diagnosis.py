"""A diagnosis: a run and what was made of it, stage by stage.

Where the growth went is the ledger, what is kept the memory, what is to be done the findings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from labkit.record.loop import SourceLoop
from labkit.record.proof import Proof, TracedAnew
from labkit.record.run import Run, Stretch
from labkit.record.source_line import SourceLine
from labkit.record.verdict import Verdict

UNEXPLAINED = "unexplained"
# Why memory that rises may come to rest: a store with a bound fills, each step is given more, or it
# rises in stairs, of which there need not be another.
Unclear = Literal["", "filling", "heavier", "given", "stairs"]


@dataclass(frozen=True)
class LedgerRow:
    """The part of the growth that one place holds.

    Args:
        place: The column of a measured place, a line of code, or ``unexplained``.
        seconds: Growth per step attributed to it, in seconds from the first level to the last.
        share: `seconds` over the whole growth.
        low: Lower end of the 95 % interval of `seconds`, where one was computed.
        high: Upper end of it.
        first_seconds: How long a step was at it at the first level, where that is known.
    """

    place: str
    seconds: float
    share: float
    low: float | None = None
    high: float | None = None
    first_seconds: float | None = None


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
        kind: What it does: makes steps grow, makes what lies between them grow, makes spikes,
            costs the same each step, keeps memory.
        share: Its part of the growth, of the spikes or of the step, from 0 to 1.
        proof: The measured facts.
        fix: The code of the smallest repair, as `labkit.show.report.fixes` has it.
        line: The line of the reader's own that does it; None where none is known.
        traced: Of retracing: what was new at each trace; None where that is not known.
    """

    cause: str
    kind: Literal["growth", "between", "spikes", "cost", "memory"]
    share: float
    proof: Proof
    fix: str
    line: SourceLine | None = None
    traced: TracedAnew | None = None


@dataclass(frozen=True)
class Climb:
    """A counter that rises for ever.

    Args:
        name: The counter.
        per_step: By how much it rises a step.
        first: Its value when it had settled.
        last: Its last value.
    """

    name: str
    per_step: float
    first: float
    last: float

    @property
    def rise(self) -> float:
        """By how much it rose in all, once it had settled."""
        return self.last - self.first


@dataclass(frozen=True)
class Memory:
    """Whether the loop keeps memory or other things step after step.

    Args:
        label: ``flat`` or ``leaking``.
        bytes_per_step: Growth of resident memory per step.
        grows: The counters that rise for ever, by name; what is kept is named ``kept/...``.
        known: Whether everything alive was counted often enough to tell, and nothing rises that may
            come to rest; a run that is called flat may keep things all the same where it is not.
        rises: By how much each of them rises, in the same order, where that is known.
        unclear: Why it cannot be told whether what rises is a leak, where that is so.
    """

    label: Literal["flat", "leaking"]
    bytes_per_step: float
    grows: tuple[str, ...] = ()
    known: bool = True
    rises: tuple[Climb, ...] = ()
    unclear: Unclear = ""


@dataclass(frozen=True)
class Doubt:
    """What lies between a script's steps, takes most of its time, and may grow unproved.

    Args:
        times: How often it came.
        first: How long it takes at the start by the line through all, in seconds.
        last: How long at the end.
        share: Its share of the time of the steps and of all between them.
    """

    times: int
    first: float
    last: float
    share: float


NO_GROWTH = Ledger()
NOT_COUNTED = Memory("flat", 0.0, known=False)


def speaking(verdicts: Sequence[Verdict]) -> int:
    """Return which of a run's verdicts speaks for it: the first slower, else of most steps."""
    slower = (place for place, verdict in enumerate(verdicts) if verdict.slower)
    longest = max(range(len(verdicts)), key=lambda place: verdicts[place].steps)
    return next(slower, longest)


@dataclass(frozen=True)
class Diagnosis:
    """A run and what was made of it. A part that nobody asked for is empty.

    Args:
        run: What was recorded, finished or still going.
        judged: The same without the steps that were looked at closely, where some were.
        verdicts: One for each stretch between two flips; steps in it count from its start.
        ledger: Where the growth of the first stretch that got slower went.
        memory: What is kept from step to step; not known where nobody looked.
        findings: The causes that are proved, best first; none means "no cause found".
        slower_lines: Lines of code that take longer at the end than at the start, most first: the
            place, and how many seconds per step more.
        late_steps: How many steps came after those of `run`, which got slower too late to be sure.
        examined: Whether memory and causes were looked for; else nothing is said of either.
        loop: Of a script: the loop whose turns are the steps.
        entries: Of a script: how often that loop was begun, as in each epoch.
        between: Of a script: what lies between its steps, where nobody can tell whether it grows.
        idle: Whether TensorFlow did no work in the second half of the recorded steps.
    """

    run: Run
    judged: Run
    verdicts: tuple[Verdict, ...]
    ledger: Ledger = NO_GROWTH
    memory: Memory = NOT_COUNTED
    findings: tuple[Finding, ...] = ()
    slower_lines: tuple[tuple[str, float], ...] = ()
    late_steps: int = 0
    examined: bool = False
    loop: SourceLoop | None = None
    entries: int = 0
    between: Doubt | None = None
    idle: bool = False

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """The stretches between two flips of a toggle, in order."""
        return self.judged.stretches()

    @property
    def looked_at(self) -> int:
        """How many steps were looked at closely, and not judged."""
        return len(self.run.steps) - len(self.judged.steps)

    @property
    def provisional(self) -> bool:
        """Whether the run was still going when this was said."""
        return not self.run.state.ended

    @property
    def verdict(self) -> Verdict:
        """The verdict that speaks for the run, the first slower one, else the longest one's."""
        return self.verdicts[speaking(self.verdicts)]

    @property
    def stretch(self) -> Stretch:
        """The steps that `verdict` is of."""
        return self.stretches[speaking(self.verdicts)]

    def renamed(self, names: Mapping[str, str], hint: str = "") -> Diagnosis:
        """Return the same with other names in what the loop raised.

        Args:
            names: What to write in place of a path or name; the longer ones first.
            hint: What to add where the loop knew no such name.
        """
        reason, raised = self.run.state.reason, self.run.state.traceback
        for name, other in names.items():
            reason, raised = reason.replace(name, other), raised.replace(name, other)
        if hint and self.run.state.error == "NameError":
            reason = f"{reason.rstrip('.')}. {hint}."
        state = replace(self.run.state, reason=reason, traceback=raised)
        run, judged = (replace(kept, state=state) for kept in (self.run, self.judged))
        return replace(self, run=run, judged=judged)
