"""Probes that time patched functions and count their calls."""

from __future__ import annotations

from labkit.measure.clock.counter_buffer import BufferedProbe
from labkit.measure.clock.timers import Timers
from labkit.measure.patches.patches import Patches
from labkit.measure.patches.timed_functions import PatchTable


class CountingProbe(BufferedProbe):
    """Base class for probes that count patched calls.

    Args:
        timers: Take the time of the calls.

    What it patches goes into `patches`.
    """

    def __init__(self, timers: Timers) -> None:
        super().__init__(timers.board)
        self.patches = Patches(timers)

    @property
    def missing(self) -> list[str]:
        """The names that the installed packages do not have."""
        return self.patches.missing

    def count(self, arguments: tuple[object, ...], result: object) -> None:
        """Count one in the first column; to be called after what is counted."""
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
        self.columns = () if table.counter is None else (table.counter,)
        self.anew = tuple(column.name for column in self.columns if table.per_step)
        super().__init__(timers)
        for group in table.groups:
            self.patches.patch(group, after=self.count if group.counted else None)
