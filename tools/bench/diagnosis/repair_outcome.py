"""An outcome of a repair: what was said of a loop without it and with it, and whether it works."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from labkit.record import Diagnosis, quantity
from labkit.show.report.fixes import fix_code
from labkit.show.titles import counter_title

# The last of these parts of a run is what its steps had become.
PARTS = 5


@dataclass(frozen=True)
class Said:
    """What was said of one loop.

    Args:
        findings: Of each: cause, kind, the code name of its repair.
        leaking: Whether something is kept step after step.
        step_seconds: Of a step, the median of the last fifth.
        bytes_per_step: What is kept.
        steps: How many steps.
        ended: Why the run was ended, where it was not by itself.
        grows: The counters that rise for ever.
        printed: The repairs as they were printed.
        error: Why nothing was said, in a line.
    """

    findings: tuple[tuple[str, str, str], ...] = ()
    leaking: bool = False
    step_seconds: float = 0.0
    bytes_per_step: float = 0.0
    steps: int = 0
    ended: str = ""
    grows: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()
    error: str = ""


def said_of(diagnosis: Diagnosis) -> Said:
    """Return of a diagnosis what a repair is held against."""
    seconds = np.asarray(diagnosis.judged.steps.seconds)
    last = seconds[len(seconds) - len(seconds) // PARTS - 1 :]
    state = diagnosis.run.state
    return Said(
        tuple((each.cause, each.kind, each.fix) for each in diagnosis.findings),
        diagnosis.memory.label == "leaking",
        float(np.median(last)) if last.size else 0.0,
        diagnosis.memory.bytes_per_step,
        len(diagnosis.run.steps),
        "" if state.completed else state.reason,
        diagnosis.memory.grows,
        tuple(fix_code(each) for each in diagnosis.findings),
    )


@dataclass(frozen=True)
class RepairOutcome:
    """One repair on one loop.

    Args:
        fix: The code name of the repair.
        number: Which of its loops.
        loop: What the loop does.
        before: What was said without the repair.
        after: What was said with it.
    """

    fix: str
    number: int
    loop: str
    before: Said
    after: Said

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> RepairOutcome:
        """Return an outcome that was kept as plain values."""
        ends = {name: Said(**_frozen(told[name])) for name in ("before", "after")}
        return cls(**{**told, **ends})

    @property
    def _meant(self) -> tuple[str, str, str] | None:
        return next((each for each in self.before.findings if each[2] == self.fix), None)

    @property
    def told(self) -> bool:
        """Whether the repair is what is printed for the loop that needs it."""
        return self._meant is not None

    @property
    def works(self) -> bool:
        """Whether it was printed, and with it the cause is gone, and the leak where that was it."""
        if self._meant is None or self.after.error or self.after.ended or not self.after.steps:
            return False
        cause, kind, _ = self._meant
        gone = all(each[0] != cause for each in self.after.findings)
        return gone and not (kind == "memory" and self.before.leaking and self.after.leaking)

    @property
    def wrong(self) -> str:
        """What does not hold, in a few words; empty where all does."""
        if self.before.error or self.after.error:
            return self.before.error or self.after.error
        if not self.told:
            return f"not printed: found {_named(self.before)}"
        if self.after.ended:
            return f"with it: {self.after.ended}"
        return "" if self.works else f"with it: {_named(self.after)}"

    def row(self) -> list[str]:
        """Return the row of the table."""
        one, other = self.before, self.after
        return [
            f"`{self.fix}`", self.loop, _named(one), _time(one), _time(other),
            _size(one), _size(other), f"no: {self.wrong}" if self.wrong else "yes",
        ]  # fmt: skip

    def __str__(self) -> str:
        """Return the outcome in one line."""
        head = f"{'MISS' if self.wrong else 'ok  '} {self.fix} {self.number}  {self.wrong}"
        ends = (
            f"{_time(one)}, {_size(one)}, {one.steps} steps, {_named(one)}"
            for one in (self.before, self.after)
        )
        return f"{head}  [{' -> '.join(ends)}]"


def _frozen(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain values with their lists as tuples."""
    return {
        name: tuple(tuple(each) if isinstance(each, list) else each for each in value)
        if isinstance(value, list)
        else value
        for name, value in told.items()
    }


def _named(said: Said) -> str:
    found = ", ".join(f"{cause} ({kind})" for cause, kind, _ in said.findings)
    return found or ("a leak" if said.leaking else "nothing")


def _time(said: Said) -> str:
    return quantity.duration(said.step_seconds) if said.steps else ""


def _size(said: Said) -> str:
    """Return what is kept; where nothing is, a number would be noise."""
    if not said.leaking:
        return "nothing"
    if said.bytes_per_step <= 0 and said.grows:
        return counter_title(said.grows[0])
    return quantity.size(said.bytes_per_step)
