"""Processor time of the whole process, and how often the machine took the processor away.

Process time, not thread time: TensorFlow computes in pools of threads that a thread's own clock
does not see.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable

from labkit.measure.probe import Row
from labkit.record import Column

# Of a step: time between two steps that is not worth a second reading.
NEXT_TO_NOTHING = 0.03
# The switches are read in this share of the time: a reading takes 22 us when a step has just
# emptied the caches, one of the processor time alone half of that.
SHARE_OF_TIME = 0.0005
# A reading that was interrupted must not keep it silent for long.
LONGEST_SECONDS = 3e-5


class ProcessorProbe:
    """Reads the process's CPU seconds of each step, and now and then its involuntary switches.

    A reading takes 0.5 us, and 11 us when a step has just emptied the caches. So one reading ends a
    step and begins the next where next to nothing lies between them; what does is then counted with
    the next step.

    Args:
        clock: Returns seconds.
        processor: Returns the processor seconds of this process.
        switches: Returns its involuntary context switches so far; None where nobody counts them.
    """

    columns = (
        Column("cpu_seconds", "processor time", "s", "machine"),
        # Since they were last read; not a number in between.
        Column("involuntary_switches", "involuntary context switches", "switches", "machine"),
    )

    def __init__(
        self,
        clock: Callable[[], float] = time.perf_counter,
        processor: Callable[[], float] = time.process_time,
        switches: Callable[[], float] | None = None,
    ) -> None:
        self._clock = clock
        self._processor = processor
        self._switches = switches or _switches_reader()
        self._used_seconds = 0.0
        self._switched = self._switches() if self._switches else math.nan
        self._began = 0.0
        self._read = -math.inf
        self._due = -math.inf

    def begin(self) -> None:
        now = self._clock()
        if now - self._read > NEXT_TO_NOTHING * (self._read - self._began):
            self._used_seconds = self._processor()
        self._began = now

    def read(self, row: Row, place: int) -> None:
        seconds = self._processor()
        row[place] = seconds - self._used_seconds
        self._used_seconds = seconds
        self._read = now = self._clock()
        if self._switches is None or now < self._due:
            row[place + 1] = math.nan
            return
        switched = self._switches()
        row[place + 1], self._switched = switched - self._switched, switched
        cost = min(self._clock() - now, LONGEST_SECONDS)
        self._due = now + cost / SHARE_OF_TIME

    def close(self) -> None:
        """Nothing is held."""


def _switches_reader() -> Callable[[], float] | None:
    """Return what reads the involuntary switches so far; None on Windows, where nobody counts."""
    if sys.platform == "win32":
        return None
    import resource

    getrusage, whole = resource.getrusage, resource.RUSAGE_SELF
    return lambda: getrusage(whole).ru_nivcsw
