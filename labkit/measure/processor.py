"""Processor time of the whole process, and how often the machine took the processor away.

Process time, not thread time: TensorFlow computes in pools of threads that a thread's own clock
does not see.
"""

from __future__ import annotations

import time

from labkit.measure.probe import Row
from labkit.record import Column

try:
    import resource
except ImportError:  # Windows has no getrusage; the switches are then not measured
    resource = None  # type: ignore[assignment]


class ProcessorProbe:
    """Reads process CPU seconds and involuntary context switches of each step."""

    columns = (
        Column("cpu_seconds", "processor time", "s", "machine"),
        Column("involuntary_switches", "involuntary context switches", "switches", "machine"),
    )

    def __init__(self) -> None:
        self._began_cpu = 0
        self._began_switches = 0

    def begin(self) -> None:
        self._began_switches = _switches()
        self._began_cpu = time.process_time_ns()

    def read(self, row: Row, place: int) -> None:
        row[place] = (time.process_time_ns() - self._began_cpu) * 1e-9
        row[place + 1] = (
            float("nan") if resource is None else float(_switches() - self._began_switches)
        )

    def close(self) -> None:
        """Nothing is held."""


def _switches() -> int:
    return 0 if resource is None else resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
