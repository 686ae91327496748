"""An outcome: one loop, what was said of it, and what of that is right."""

from __future__ import annotations

from dataclasses import dataclass

from labkit.record import Diagnosis, Finding
from tests.loops.expected import Expectation

NONE = "none"
FAILED = "failed"


@dataclass(frozen=True)
class Outcome:
    """What was said of one loop.

    Args:
        expected: What is right.
        diagnosis: What was said; None where the diagnosis itself failed, and then all is wrong.
        seconds: How long it took.
        error: Why it failed, in one line.
    """

    expected: Expectation
    diagnosis: Diagnosis | None
    seconds: float
    error: str = ""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found, best first."""
        return self.diagnosis.findings if self.diagnosis is not None else ()

    @property
    def first(self) -> str:
        """The cause of the first finding, ``none`` or ``failed``."""
        if self.diagnosis is None:
            return FAILED
        return self.findings[0].cause if self.findings else NONE

    @property
    def label(self) -> str:
        """The verdict on the time, or ``failed``."""
        return self.diagnosis.verdict.label if self.diagnosis is not None else FAILED

    @property
    def memory(self) -> str:
        """The verdict on the memory, ``not known`` or ``failed``."""
        if self.diagnosis is None:
            return FAILED
        memory = self.diagnosis.memory
        return memory.label if memory.known else "not known"

    @property
    def time_right(self) -> bool:
        """Whether the verdict on the time is one of those expected."""
        return self.label in self.expected.labels

    @property
    def time_exact(self) -> bool:
        """Whether the verdict on the time is the plainest of those expected."""
        same = self.label == self.expected.labels[0]
        return same or (self.called_slower and self.expected.slower)

    @property
    def called_slower(self) -> bool:
        """Whether it was said that the steps get slower."""
        return self.label in ("slowdown", "shift")

    @property
    def called_leaking(self) -> bool:
        """Whether it was said that something is kept."""
        return self.diagnosis is not None and self.diagnosis.memory.label == "leaking"

    @property
    def first_right(self) -> bool:
        """Whether the first finding is one that must or may stand there."""
        return self.first in (*self.expected.first, *self.expected.tolerated)

    @property
    def quiet(self) -> bool:
        """Whether nothing was found but what may be found where no finding is needed."""
        return self.diagnosis is not None and all(map(self._may_stand, self.findings))

    def _may_stand(self, finding: Finding) -> bool:
        if finding.cause == "machine":  # it says that the loop is sound
            return True
        if finding.kind == "cost" and self.expected.cost_allowed:
            return True
        return finding.cause in self.expected.tolerated

    @property
    def place_told(self) -> bool:
        """Whether a counter was told that names the place which keeps it."""
        if self.diagnosis is None or not self.called_leaking:
            return False
        return any(
            name == place or (place.endswith("/") and name.startswith(place))
            for name in self.diagnosis.memory.grows
            for place in self.expected.keeps
        )

    def misses(self) -> tuple[str, ...]:
        """Return what is wrong, each in a few words; empty where all is right."""
        if self.diagnosis is None:
            return (f"no diagnosis: {self.error}",)
        told, expected = self.diagnosis, self.expected
        wrong: list[str] = []
        if not self.time_right:
            wrong.append(f"called {self.label}, is {' or '.join(expected.labels)}")
        if expected.first and not self.first_right:
            wrong.append(f"found {self._found()}, is {' or '.join(expected.first)}")
        if not expected.first and not self.quiet:
            wrong.append(f"found {self._found()}, where nothing is to be found")
        if expected.leaking == "yes" and not self.called_leaking:
            wrong.append(f"leak not seen, in {' or '.join(expected.keeps)}")
        elif expected.leaking == "yes" and not self.place_told:
            grows = ", ".join(told.memory.grows) or "nothing"
            wrong.append(f"leak placed in {grows}, is in {' or '.join(expected.keeps)}")
        if expected.leaking == "no" and self.called_leaking:
            wrong.append(f"leak claimed in {', '.join(told.memory.grows) or 'nothing'}")
        return tuple(wrong)

    def _found(self) -> str:
        return ", ".join(f"{one.cause} ({one.kind} {one.share:.0%})" for one in self.findings) or (
            "nothing"
        )

    def __str__(self) -> str:
        """Return the outcome in one line."""
        wrong = "; ".join(self.misses())
        head = f"{'MISS' if wrong else 'ok  '} {self.expected.file:26} {self.seconds:5.1f} s"
        if self.diagnosis is None:
            return f"{head}  {wrong}"
        verdict = self.diagnosis.verdict
        growth = "" if verdict.growth is None else f" {verdict.growth:+.0%}"
        said = f"{verdict.label}{growth} in {verdict.steps} steps, {self._found()}, {self.memory}"
        return f"{head}  {wrong}  [said: {said}]" if wrong else f"{head}  {said}"
