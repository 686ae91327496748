"""Processor time of the whole process, and how often the machine took the processor away.

Process time, not thread time: TensorFlow computes in pools of threads that a thread's own clock
does not see.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from labkit.measure.probe import Row
from labkit.record import Column


class ProcessorProbe:
    """Reads process CPU seconds and involuntary context switches of each step."""

    columns = (
        Column("cpu_seconds", "processor time", "s", "machine"),
        Column("involuntary_switches", "involuntary context switches", "switches", "machine"),
    )

    def __init__(self) -> None:
        self._usage = _usage_reader()
        self._began_seconds = 0.0
        self._began_switches = 0.0

    def begin(self) -> None:
        self._began_seconds, self._began_switches = self._usage()

    def read(self, row: Row, place: int) -> None:
        seconds, switches = self._usage()
        row[place] = seconds - self._began_seconds
        row[place + 1] = switches - self._began_switches

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
