"""Probes that count, mostly the calls of functions that they patch."""

from __future__ import annotations

from labkit.measure.clock.probe import Row
from labkit.measure.clock.timers import Timers
from labkit.measure.patches.patches import Patches
from labkit.measure.patches.timed_functions import PatchTable
from labkit.record import Column


class CountingProbe:
    """Base class for probes that count.

    Args:
        timers: Take the time of the patched calls, and record what is counted.

    `counters` is what it counts, and `anew` names those that count from the beginning of each step.
    What it patches goes into `patches`.
    """

    columns: tuple[Column, ...] = ()  # of its own: the counters are among the timers'
    counters: tuple[Column, ...] = ()
    anew: tuple[str, ...] = ()

    def __init__(self, timers: Timers) -> None:
        self.timers = timers
        # Held apart: each hook that counts needs it, and one look less is a tenth of its cost.
        self.values = timers.values
        self.first = timers.count(self.counters, self.anew)
        self.patches = Patches(timers)

    def at(self, name: str) -> int:
        """Return where the number of a counter stands."""
        return self.first + [counter.name for counter in self.counters].index(name)

    def give_up(self, name: str) -> None:
        """Record a counter as not measured."""
        self.timers.give_up_count(self.at(name))

    def read(self, row: Row, place: int) -> None:
        """Write nothing: the timers do."""

    @property
    def missing(self) -> list[str]:
        """The names that the installed packages do not have."""
        return self.patches.missing

    def count(self, arguments: tuple[object, ...], result: object) -> None:
        """Count one in the first counter; to be called after what is counted."""
        self.values[self.first] += 1

    def close(self) -> None:
        self.patches.close()


class TableProbe(CountingProbe):
    """Times the calls of the functions of a table, counts some, and does no more.

    Args:
        table: The functions.
        timers: As for `CountingProbe`.
    """

    def __init__(self, table: PatchTable, timers: Timers) -> None:
        self.counters = () if table.counter is None else (table.counter,)
        self.anew = tuple(counter.name for counter in self.counters if table.per_step)
        super().__init__(timers)
        for group in table.groups:
            self.patches.patch(group, after=self.count if group.counted else None)
