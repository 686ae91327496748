"""The processor: its time for the whole process, and how often it was taken away from it.

Process time, not thread time: TensorFlow computes in pools of threads that a thread's own clock
does not see.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable

from labkit.measure.clock.probe import Row
from labkit.record import Column

if sys.platform != "win32":  # bound now: a program may put a module of its own in its place
    import resource


# Of the switches a reading takes 22 us when a step has just emptied the caches.
SHARE_OF_TIME = 0.0002
# One that was interrupted must not keep it silent for long.
LONGEST_SECONDS = 3e-5


class ProcessorProbe:
    """Reads the process's CPU seconds of each step.

    A reading takes 0.5 us, and 5 us or more when a step has just emptied the caches. So one reading
    ends a step and begins the next where next to nothing lies between them; what does is then
    counted with the next step.

    Args:
        processor: Returns the processor seconds of this process.
    """

    columns = (Column("cpu_seconds", "processor time", "s", "machine"),)

    def __init__(self, processor: Callable[[], float] = time.process_time) -> None:
        self._processor = processor
        self._used_seconds = 0.0

    def resume(self) -> None:
        self._used_seconds = self._processor()

    def read(self, row: Row, place: int) -> None:
        seconds = self._processor()
        row[place] = seconds - self._used_seconds
        self._used_seconds = seconds


class SwitchesProbe:
    """Reads the involuntary context switches since the last reading, in a small share of the time.

    Args:
        clock: Returns seconds.
        switches: Returns those of this process so far; by default as the system counts them, which
            Windows does not.
    """

    lasting = False
    columns = (
        Column("involuntary_switches", "involuntary context switches", "switches", "machine"),
    )

    def __init__(
        self,
        clock: Callable[[], float] = time.perf_counter,
        switches: Callable[[], float] | None = None,
    ) -> None:
        self._clock = clock
        self._switches = switches or _switches_reader()
        self._switched = self._switches() if self._switches else math.nan
        self.due = -math.inf if self._switches else math.inf

    def read(self, row: Row, place: int) -> None:
        now = self._clock()
        if self._switches is None or now < self.due:
            row[place] = math.nan
            return
        switched = self._switches()
        row[place], self._switched = switched - self._switched, switched
        cost = min(self._clock() - now, LONGEST_SECONDS)
        self.due = now + cost / SHARE_OF_TIME


def _switches_reader() -> Callable[[], float] | None:
    """Return what reads the involuntary switches so far; None on Windows, where nobody counts."""
    if sys.platform == "win32":
        return None
    getrusage, whole = resource.getrusage, resource.RUSAGE_SELF
    return lambda: getrusage(whole).ru_nivcsw
