"""What a probe is: something that fills a few columns of a step's row."""

from __future__ import annotations

from array import array
from typing import Protocol, TypeAlias, runtime_checkable

from labkit.record import Column

# Where numbers are written: doubles in shared memory, or those of this process.
Row: TypeAlias = "memoryview[float] | array[float] | list[float]"


class Probe(Protocol):
    """Reads counters after a step; its own cost lies outside the step's clock."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """What it fills, in order."""

    def read(self, row: Row, place: int) -> None:
        """Write one number a column into ``row[place:]``; not called where there is no column."""


@runtime_checkable
class HoldingProbe(Probe, Protocol):
    """A probe that has hooked itself into something, or holds a file open."""

    def close(self) -> None:
        """Give back whatever it holds."""


@runtime_checkable
class StepProbe(Probe, Protocol):
    """A probe that counts from the beginning of the step rather than reading what stands."""

    def begin(self) -> None:
        """Forget what happened before the step; called just before its clock starts."""


@runtime_checkable
class FaultProbe(Probe, Protocol):
    """A probe that wants to look once more when the loop has ended in an error."""

    def failed(self, error: BaseException) -> None:
        """See what it left behind, and add events; must not raise."""


@runtime_checkable
class ResumedProbe(Probe, Protocol):
    """A probe that counts from one step's end to the next one's."""

    def resume(self) -> None:
        """Forget what came after the last step; called where it was more than next to nothing."""


@runtime_checkable
class SeldomProbe(Probe, Protocol):
    """A probe that is expensive, and so asked now and then; it says itself when the next time is.

    ``due`` is when, in seconds of the recorder's clock. ``lasting`` is whether in between its last
    numbers stand; else nothing stands there (NaN).
    """

    due: float
    lasting: bool
