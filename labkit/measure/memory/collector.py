"""Python's garbage collector: how long it paused the step.

Python tells of a collection by calling whatever stands in ``gc.callbacks``. An error that a
handler of signals raises in a function there is dropped, so that a timeout or a Ctrl-C of the
reader's would be lost. So nothing of ours runs there: what is called is put together from functions
written in C, which note the moment and look at no signal. They are read between two steps.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from labkit.measure.clock.events import Place
from labkit.measure.clock.source_names import SourceNames
from labkit.measure.clock.timers import NONE
from labkit.measure.patches.counting_probe import CountingProbe, ProbeContext
from labkit.measure.patches.group import Group
from labkit.record import Column

# Shorter pauses are counted and timed, but not worth a mark: there are hundreds of them.
TELLING_SECONDS = 0.001
# To book one makes a few objects. With a threshold of five or less each would lead to more than one
# new collection, and a step to ever more of them (seen: a loop of 20 steps came to no end).
MOST_WHILE_COLLECTING = 100
# The clock's seconds, the open place, the thread, and the seconds at each place so far. Not what
# runs: to ask for a frame within a collection crashed CPython 3.11, where one was just being made.
Moment = tuple[float, int, int, Sequence[float]]
COLLECT = Group(None, {"gc": ("collect",)})


class CollectorProbe(CountingProbe):
    """Counts collections from its making on, and records their pauses on a place of the timers."""

    counters = (Column("gc_collections", "garbage collections", "collections", "counter"),)

    def __init__(self, context: ProbeContext) -> None:
        super().__init__(context)
        self._place = self.timers.add("garbage_collection", "garbage collection")
        self._begun: list[Moment] = []
        self._ended: list[Moment] = []
        self._stats = gc.get_stats()
        self._names = SourceNames()
        # By which collection it is: the line that asks for it.
        self._asked: dict[int, Place] = {}
        self._read = 0
        self.patches.patch(COLLECT, before=self._ask)
        timers = self.timers
        now: Iterator[Any] = zip(
            _each(timers.clock), _each(partial(getattr, timers.hand, "place")),
            _each(threading.get_ident), _each(timers.seconds.__copy__), strict=False,
        )  # fmt: skip
        phases = _phases(map(self._begun.append, now), map(self._ended.append, now))
        # Asked for "start" or "stop", with what is told of the collection in the default's place.
        self._callback = partial(getattr, phases)
        # Bound once: the method is a new object each time, and close() must remove the very one.
        self._reading = self._read_moments
        timers.gathering.append(self._reading)
        timers.collecting = lambda: len(self._begun) > len(self._ended)
        gc.callbacks.append(self._callback)

    def _ask(self, arguments: object) -> None:
        """Note the line that asks for the next collection."""
        line = self._names.running()
        self._asked[self._read + len(self._begun)] = line

    def _read_moments(self) -> None:
        """Count the collections that are over, and add their seconds."""
        if not self._ended:
            return
        held = len(self._ended) > MOST_WHILE_COLLECTING and gc.isenabled()
        try:
            if held:
                gc.disable()
            self._book(len(self._ended))
        finally:
            if held:
                gc.enable()

    def _book(self, count: int) -> None:
        pairs = zip(range(self._read, self._read + count), self._begun, self._ended, strict=False)
        pauses = sorted((self._booked(*pair), number) for number, *pair in pairs)
        asked, self._asked = self._asked, {}
        self._read += count
        del self._begun[:count], self._ended[:count]
        self.values[self.first] += count
        before, self._stats = self._stats, gc.get_stats()
        # Of several the longest is that of the oldest generation: it goes through more.
        for generation in reversed(range(len(before))):
            was, now = before[generation], self._stats[generation]
            for _ in range(now["collections"] - was["collections"]):
                pause, number = pauses.pop() if pauses else (0.0, -1)
                if pause >= TELLING_SECONDS:
                    collected = now["collected"] - was["collected"]
                    self._tell(pause, asked.get(number), generation, collected)

    def _booked(self, began: Moment, ended: Moment) -> float:
        """Add a collection where the step's thread has waited for it; return its seconds."""
        start, outer, thread, before = began
        pause = ended[0] - start
        if thread == self.timers.thread:
            # What it called may have been timed: a session, for one, that nobody had closed.
            inner = sum(
                after - was
                for place, (was, after) in enumerate(zip(before, ended[3], strict=False))
                if place != outer
            )
            seconds = self.timers.seconds
            seconds[self._place] += pause - inner
            if outer != NONE:
                seconds[outer] -= pause - inner
        return pause

    def _tell(self, pause: float, at: Place, generation: int, collected: int) -> None:
        self.events.add(
            "gc",
            f"garbage collection, generation {generation}: {pause * 1e3:.0f} ms",
            generation=generation,
            at=at,
            seconds=pause,
            collected=collected,
        )

    def close(self) -> None:
        super().close()
        gc.callbacks.remove(self._callback)
        if self._reading in self.timers.gathering:
            self.timers.gathering.remove(self._reading)


def _each(function: Callable[[], object]) -> Iterator[Any]:
    """Return what calls a function for each item, without end."""
    return iter(function, None)


def _phases(start: Iterator[object], stop: Iterator[object]) -> object:
    """Return what goes on by one item where ``start`` or ``stop`` is asked of it."""
    names = {
        # The object itself is what `next` would return at the end, which never comes.
        "start": property(partial(next, start)),
        "stop": property(partial(next, stop)),
    }
    return type("Phases", (), names)()
