"""Places: how many seconds of a step were spent at each choke point.

Time is booked exclusively: while an inner place is open the outer one stands still, so the places
of a step never add up to more than the step.
"""

from __future__ import annotations

import threading
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
        self._seconds: list[float] = []
        self._open: list[int] = []
        self._since = 0.0

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(self._columns)

    def add(self, name: str, title: str) -> int:
        """Add a place and return its number."""
        self._columns.append(Column(f"{name}_seconds", title, "s", "place"))
        self._seconds.append(0.0)
        return len(self._columns) - 1

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
        for place in range(len(self._seconds)):
            self._seconds[place] = 0.0

    def read(self, row: Row, place: int) -> None:
        for offset, seconds in enumerate(self._seconds):
            row[place + offset] = seconds

    def close(self) -> None:
        """Nothing is hooked here; the choke points take their hooks away themselves."""
