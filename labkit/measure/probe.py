"""What a probe is: something that fills a few columns of a step's row."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from labkit.record import Column


class Row(Protocol):
    """Where numbers are written: a memory view of doubles, or a list in a test."""

    def __setitem__(self, place: int, value: float, /) -> None: ...


class Probe(Protocol):
    """Reads counters after a step; its own cost lies outside the step's clock."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """What it fills, in order."""

    def read(self, row: Row, place: int) -> None:
        """Write one number a column into ``row[place:]``."""

    def close(self) -> None:
        """Take away whatever it hooked into."""


@runtime_checkable
class StepProbe(Probe, Protocol):
    """A probe that counts from the beginning of the step rather than reading what stands."""

    def begin(self) -> None:
        """Forget what happened before the step; called just before its clock starts."""
