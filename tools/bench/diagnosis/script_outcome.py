"""An outcome: one script, what `labkit diagnose --json` said of it, and what of that is right."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.scripts.expected import ScriptTruth

NONE = "none"
FAILED = "failed"
# Of the time: a collection now and then, the first batch of an epoch.
FEW_SPIKES = 0.1


@dataclass(frozen=True)
class ScriptOutcome:
    """What was said of one script.

    Args:
        truth: What is right.
        said: What was printed; None where nothing was, and then all is wrong.
        seconds: How long it took.
        error: Why nothing was, in a line.
    """

    truth: ScriptTruth
    said: dict[str, Any] | None
    seconds: float
    error: str = ""

    @property
    def step(self) -> str:
        """The kind and place of the loop whose turns were taken for the steps."""
        step = (self.said or {}).get("step")
        return f"{step['kind']} {Path(step['file']).name}:{step['line']}" if step else NONE

    @property
    def step_right(self) -> bool:
        """Whether these are the steps."""
        right = f"{Path(self.truth.step_file).name}:{self.truth.step_line}"
        return self.step.rpartition(" ")[2] == right

    @property
    def label(self) -> str:
        """The verdict on the time, or ``failed``."""
        return self.said["verdict"]["label"] if self.said else FAILED

    @property
    def label_right(self) -> bool:
        """Whether it is one of those that are right; or few spikes, with the level between them."""
        share = self.said["verdict"]["more"]["spike_share"] if self.said else None
        few = self.label == "spikes" and (share or 0.0) < FEW_SPIKES and "flat" in self.truth.labels
        return few or self.label in self.truth.labels

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What was found, in all its loops, best first."""
        if not self.said:
            return []
        return [one for each in (self.said, *self.said["loops"]) for one in each["findings"]]

    @property
    def first(self) -> str:
        """The cause of the first finding, ``none`` or ``failed``."""
        if not self.said:
            return FAILED
        return self.findings[0]["cause"] if self.findings else NONE

    @property
    def cause_right(self) -> bool:
        """Whether the first finding is the cause."""
        return self.first in self.truth.causes

    @property
    def line(self) -> str:
        """The line of the first finding."""
        line = self.findings[0]["line"] if self.findings else None
        return f"{Path(line['file']).name}:{line['line']}" if line else NONE

    @property
    def line_right(self) -> bool:
        """Whether the cause is right and the line does it."""
        return self.cause_right and self.line in self.truth.lines

    @property
    def leak_told(self) -> bool:
        """Whether it was said that something is kept."""
        loops = (self.said, *self.said["loops"]) if self.said else ()
        return any(each["memory"]["label"] == "leaking" for each in loops)

    @property
    def quiet(self) -> bool:
        """Whether nothing was found."""
        return self.said is not None and not self.findings

    def misses(self) -> tuple[str, ...]:
        """Return what is wrong, each in a few words; empty where all is right."""
        if not self.said:
            return (f"no diagnosis: {self.error}",)
        truth, wrong = self.truth, []
        if not self.step_right:
            wrong.append(f"step {self.step}, is {truth.step_file}:{truth.step_line}")
        if not self.label_right:
            wrong.append(f"called {self.label}, is {' or '.join(truth.labels)}")
        if truth.healthy and self.findings:
            wrong.append(f"found {self._found()}, where nothing is to be found")
        if not truth.healthy and not self.cause_right:
            wrong.append(f"found {self._found()}, is {' or '.join(truth.causes)}")
        elif not truth.healthy and not self.line_right:
            wrong.append(f"line {self.line}, is {' or '.join(sorted(truth.lines))}")
        if truth.leaks != self.leak_told:
            wrong.append("leak not seen" if truth.leaks else "leak claimed")
        return tuple(wrong)

    def _found(self) -> str:
        told = (f"{one['cause']} ({one['kind']} {one['share']:.0%})" for one in self.findings)
        return ", ".join(told) or NONE

    def __str__(self) -> str:
        """Return the outcome in one line."""
        wrong = "; ".join(self.misses())
        head = f"{'MISS' if wrong else 'ok  '} {self.truth.name:26} {self.seconds:5.1f} s  {wrong}"
        if not self.said:
            return head
        growth = self.said["verdict"]["growth"]
        told = f"{self.label} {growth or 0:+.0%} in {self.said['steps']} steps"
        leak = "leaking" if self.leak_told else "flat"
        return f"{head}  [said: {self.step}, {told}, {self._found()} at {self.line}, {leak}]"
