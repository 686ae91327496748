"""Processor time of the whole process.

Process time, not thread time: TensorFlow computes in pools of threads that a thread's own clock
does not see.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from labkit.measure.clock.probe import Row
from labkit.record import Column


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
