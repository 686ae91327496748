"""Probes that count, mostly the calls of functions that they patch."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

from labkit.measure.clock.events import Events
from labkit.measure.clock.probe import Row
from labkit.measure.clock.timers import Timers
from labkit.measure.patches.patches import Patches
from labkit.measure.patches.timed_functions import PatchTable
from labkit.record import Column


@dataclass(frozen=True)
class ProbeContext:
    """What a probe may hook into.

    Args:
        tensorflow: The imported module.
        timers: The timers.
        events: Takes what happens.
        device: ``"cpu"`` or ``"gpu"``.
        card: What TensorFlow calls its first graphics card; None on a processor.
        workers: How many processes the run has, all on that card.
    """

    tensorflow: ModuleType
    timers: Timers
    events: Events
    device: str
    card: str | None = None
    workers: int = 1


class CountingProbe:
    """Base class for probes that count.

    Args:
        context: Its timers take the time of the patched calls, and record what is counted. Only the
            thread that made them is timed.

    `counters` is what it counts, and `anew` names those that count from the beginning of each step.
    What it patches goes into `patches`.
    """

    columns: tuple[Column, ...] = ()  # of its own: the counters are among the timers'
    counters: tuple[Column, ...] = ()
    anew: tuple[str, ...] = ()

    def __init__(self, context: ProbeContext) -> None:
        self.timers = context.timers
        self.events = context.events
        # Held apart: each hook that counts needs it, and one look less is a tenth of its cost.
        self.values = self.timers.values
        self.first = self.timers.count(self.counters, self.anew)
        self.patches = Patches(self.timers)

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
        context: As for `CountingProbe`.
    """

    def __init__(self, table: PatchTable, context: ProbeContext) -> None:
        self.counters = () if table.counter is None else (table.counter,)
        self.anew = tuple(counter.name for counter in self.counters if table.per_step)
        super().__init__(context)
        for group in table.groups:
            self.patches.patch(group, after=self.count if group.counted else None)
