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


class ProcessorProbe:
    """Reads process CPU seconds and involuntary context switches of each step.

    A reading takes 0.5 us, and 9 us when a step has just emptied the caches. So one reading ends a
    step and begins the next where next to nothing lies between them; what does is then counted with
    the next step.

    Args:
        clock: Returns seconds.
    """

    columns = (
        Column("cpu_seconds", "processor time", "s", "machine"),
        Column("involuntary_switches", "involuntary context switches", "switches", "machine"),
    )

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._usage = _usage_reader()
        self._used_seconds = 0.0
        self._switches = 0.0
        self._began = 0.0
        self._read = -math.inf

    def begin(self) -> None:
        now = self._clock()
        if now - self._read > NEXT_TO_NOTHING * (self._read - self._began):
            self._used_seconds, self._switches = self._usage()
        self._began = now

    def read(self, row: Row, place: int) -> None:
        seconds, switches = self._usage()
        row[place] = seconds - self._used_seconds
        row[place + 1] = switches - self._switches
        self._used_seconds, self._switches = seconds, switches
        self._read = self._clock()

    def close(self) -> None:
        """Nothing is held."""


def _usage_reader() -> Callable[[], tuple[float, float]]:
    """Return what reads CPU seconds and involuntary switches, in one system call if possible."""
    if sys.platform == "win32":  # no getrusage there: the switches are not measured
        return lambda: (time.process_time(), float("nan"))
    import resource

    getrusage, whole = resource.getrusage, resource.RUSAGE_SELF

    def usage() -> tuple[float, float]:
        used = getrusage(whole)
        return used.ru_utime + used.ru_stime, used.ru_nivcsw

    return usage
