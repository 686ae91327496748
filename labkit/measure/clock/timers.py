"""Timers: how many seconds of a step were spent in each group of patched functions, a place.

Time is counted exclusively: while an inner place is open the outer one stands still, so the places
of a step never add up to more than the step. Beside the seconds stands what probes count, and all
of it is read at once: to ask each of a dozen probes costs half a microsecond a probe, and three in
a step that has emptied the caches; to copy a dozen numbers that stand side by side costs as much as
one.
"""

from __future__ import annotations

import math
import sys
import threading
from array import array
from collections.abc import Callable, Collection, Sequence
from typing import Any

from labkit.measure.clock.probe import Row
from labkit.record import Column

NONE = -1  # the number of no place


class Hand:
    """The place that runs now, the innermost open one, and since when.

    With slots, and passed around as a whole: in a step that has just emptied the caches, pushing
    and popping on a list costs a microsecond.
    """

    __slots__ = ("place", "since")

    def __init__(self) -> None:
        self.place = NONE
        self.since = 0.0


class Timers:
    """One timer a place, of which one runs at a time, and counters; the probe that records both.

    Args:
        clock: Returns seconds.

    Only the thread that made it is timed: TensorFlow's own threads may call the same functions, and
    their time is no part of the step's.

    ``clock``, ``thread``, ``hand``, ``seconds`` (for each place) and ``around`` (for each place,
    whether it only surrounds work) are for `timing`, whose wrappers hold them as plain locals: a
    method call each would cost more than what it measures. ``deferred`` is called before a step
    when something was imported since the last one. ``values`` has the number of each counter;
    ``gathering`` is called before they are read, and before they start anew: by it what is counted
    apart, or must be looked at, comes among them. ``collecting`` tells whether Python collects
    garbage just now.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.thread = threading.get_ident()
        self.hand = Hand()
        self.seconds = array("d")
        self.around: list[bool] = []
        # For each patched function, by the id of its code or, if it is written in C, its own.
        self.watched: dict[int, int] = {}
        self._held: list[object] = []
        self.deferred: list[Callable[[], object]] = []
        self.values = array("d")
        self.gathering: list[Callable[[], object]] = []
        self.collecting: Callable[[], bool] = lambda: False
        self._outer: list[int] = []
        self._counters: list[Column] = []
        self._restarts: list[int] = []
        self._places: list[Column] = []
        self._zeros = array("d")
        self.begin, self.read = self._recording()

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self._counters, *self._places)

    def count(self, counters: Sequence[Column], anew: Collection[str] = ()) -> int:
        """Return where the numbers of some counters begin among the `values`.

        Args:
            counters: What is counted.
            anew: The names of those that count from the beginning of each step.
        """
        first = len(self.values)
        self._counters += counters
        self.values.extend([0.0] * len(counters))
        self._restarts += [first + at for at, each in enumerate(counters) if each.name in anew]
        return first

    def give_up_count(self, at: int) -> None:
        """Record a counter as not measured (NaN): counted nowhere, zero would be a lie."""
        self.values[at] = math.nan
        if at in self._restarts:
            self._restarts.remove(at)

    def add(self, name: str, title: str, *, around: bool = False) -> int:
        """Return the number of the place of this name; the first call adds it.

        Args:
            name: The column's name is this and ``_seconds``.
            title: What a learner reads.
            around: Whether it only surrounds other work, as a fit does: what is counted only where
                no other place is open is counted within this one all the same.
        """
        column = Column(f"{name}_seconds", title, "s", "place")
        if column not in self._places:
            self._places.append(column)
            self.seconds.append(0.0)
            self._zeros.append(0.0)
            self.around.append(around)
        return self._places.index(column)

    def watch(self, function: Any, place: int) -> None:
        """Note of which place a patched function is, so that its callers can be told."""
        while (within := getattr(function, "__wrapped__", None)) is not None:
            function = within
        found = getattr(function, "__code__", function)
        self.watched[id(found)] = place
        self._held.append(found)  # or its id might become another one's

    def place_names(self) -> list[str]:
        """Return the names of the places' columns, in the order of their numbers."""
        return [column.name for column in self._places]

    def give_up(self, place: int) -> None:
        """Record a place as not measured (NaN) from the next step on."""
        self._zeros[place] = math.nan

    @property
    def busy(self) -> bool:
        """Whether a place is open."""
        return self.hand.place != NONE

    @property
    def here(self) -> bool:
        """Whether this is the timed thread."""
        return threading.get_ident() == self.thread

    def enter(self, place: int) -> bool:
        """Open a place; return whether it was opened, which only the timed thread can do."""
        if not self.here:
            return False
        _record(self.hand, self.clock, self.seconds)
        self._outer.append(self.hand.place)
        self.hand.place = place
        return True

    def leave(self) -> None:
        """Close the place opened last."""
        _record(self.hand, self.clock, self.seconds)
        self.hand.place = self._outer.pop()

    def _recording(self) -> tuple[Callable[[], None], Callable[[Row, int], None]]:
        """Return what begins a step and what reads it.

        Functions with all they need at hand, rather than methods: an attribute looked up in emptied
        caches costs as much as five numbers copied.
        """
        values, gathering, restarts = self.values, self.gathering, self._restarts
        seconds, zeros, hand, clock = self.seconds, self._zeros, self.hand, self.clock
        modules, late = sys.modules, self.deferred
        known = 0

        def begin() -> None:
            nonlocal known
            if len(modules) != known:
                known = len(modules)
                for look in late:
                    look()
            for gather in gathering:
                gather()
            for at in restarts:
                values[at] = 0.0
            seconds[:] = zeros
            # A step may begin within an open place, such as a fit that calls us back at every
            # batch: what lies before the step is none of its time.
            if hand.place != NONE:
                hand.since = clock()

        def read(row: Row, place: int) -> None:
            for gather in gathering:
                gather()
            if hand.place != NONE:
                _record(hand, clock, seconds)
            # As slices: a loop over fifteen places would cost a microsecond a step.
            middle = place + len(values)
            row[place:middle] = values
            row[middle : middle + len(seconds)] = seconds

        return begin, read


def _record(hand: Hand, clock: Callable[[], float], seconds: array[float]) -> None:
    """Count what has passed for the open place, and go on from now."""
    now = clock()
    if hand.place != NONE:
        seconds[hand.place] += now - hand.since
    hand.since = now
