"""Places: how many seconds of a step were spent at each choke point.

Time is booked exclusively: while an inner place is open the outer one stands still, so the places
of a step never add up to more than the step.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable

from labkit.measure.probe import Row
from labkit.record import Column


class Places:
    """A stopwatch with one hand a place; itself the probe that records them.

    Args:
        clock: Returns seconds.

    Only the thread that made it is timed: TensorFlow's own threads may pass the same choke points,
    and their time is no part of the step's.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._thread = threading.get_ident()
        self._columns: list[Column] = []
        self._seconds = array("d")
        self._zeros = array("d")
        self._open: list[int] = []
        self._since = 0.0

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(self._columns)

    def add(self, name: str, title: str) -> int:
        """Return the number of the place of this name; the first call adds it."""
        column = Column(f"{name}_seconds", title, "s", "place")
        if column not in self._columns:
            self._columns.append(column)
            self._seconds.append(0.0)
            self._zeros.append(0.0)
        return self._columns.index(column)

    @property
    def busy(self) -> bool:
        """Whether a place is open."""
        return bool(self._open)

    def enter(self, place: int) -> bool:
        """Open a place; return whether it was opened, which only the timed thread can do."""
        if threading.get_ident() != self._thread:
            return False
        now = self._clock()
        if self._open:
            self._seconds[self._open[-1]] += now - self._since
        self._open.append(place)
        self._since = now
        return True

    def leave(self) -> None:
        """Close the place opened last."""
        now = self._clock()
        self._seconds[self._open.pop()] += now - self._since
        self._since = now

    def begin(self) -> None:
        self._seconds[:] = self._zeros

    def read(self, row: Row, place: int) -> None:
        # As one slice: a loop over fifteen places would cost a microsecond a step.
        row[place : place + len(self._seconds)] = self._seconds

    def close(self) -> None:
        """Nothing is hooked here; the choke points take their hooks away themselves."""
