"""Processor time of the whole process, and how often the machine took the processor away.

Process time, not thread time: TensorFlow computes in pools of threads that a thread's own clock
does not see.
"""

from __future__ import annotations

import sys
import time

from labkit.measure.probe import Row
from labkit.record import Column


class ProcessorProbe:
    """Reads process CPU seconds and involuntary context switches of each step."""

    columns = (
        Column("cpu_seconds", "processor time", "s", "machine"),
        Column("involuntary_switches", "involuntary context switches", "switches", "machine"),
    )

    def __init__(self) -> None:
        self._began_seconds = 0.0
        self._began_switches = 0.0

    def begin(self) -> None:
        self._began_seconds, self._began_switches = _usage()

    def read(self, row: Row, place: int) -> None:
        seconds, switches = _usage()
        row[place] = seconds - self._began_seconds
        row[place + 1] = switches - self._began_switches

    def close(self) -> None:
        """Nothing is held."""


def _usage() -> tuple[float, float]:
    """Return CPU seconds and involuntary switches so far, by one system call where there is one."""
    if sys.platform == "win32":  # no getrusage there: the switches are not measured
        return time.process_time(), float("nan")
    import resource

    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, usage.ru_nivcsw
