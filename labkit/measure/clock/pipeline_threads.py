"""The reader's lines that TensorFlow's own threads run, to make the data of an input pipeline.

A generator behind ``Dataset.from_generator`` or ``fit``, and what is mapped by ``tf.py_function``,
run while the step's thread waits in TensorFlow, where no profiler of that thread sees anything.
"""

from __future__ import annotations

import sys
import threading
import time
from _thread import allocate_lock, start_new_thread
from collections import defaultdict
from os import getpid
from types import FrameType

from labkit.measure.clock.source_names import SourceNames
from labkit.record.source_line import LINE

# What stands for a place in the names of what is found: no timer is set there.
BEHIND_WAITING = "pipeline_python"
INTERVAL_SECONDS = 0.002
# By it TensorFlow 2.19-2.21 calls Python (``python/ops/script_ops.py``).
CALLER = "tensorflow/python/ops/script_ops.py"


class PipelineThreads:
    """Samples those threads between `start` and `stop`, from a thread of its own.

    It is none that `threading` knows: a step that waits for all threads to end would wait for this
    one, which ends after the step; and the loop's own would have other numbers in their names.
    """

    def __init__(self) -> None:
        self._names = SourceNames()
        self._seconds: defaultdict[tuple[str, int], float] = defaultdict(float)
        # Held as long as it is to go on, and as long as it does.
        self._going_on, self._ended = allocate_lock(), allocate_lock()
        self._process = 0

    def start(self) -> None:
        """Sample from here on."""
        self._seconds.clear()
        self._going_on, self._ended = allocate_lock(), allocate_lock()
        self._going_on.acquire()
        self._ended.acquire()
        try:
            start_new_thread(self._sample, (threading.get_ident(),))
        except RuntimeError:  # no more threads can be started
            return
        self._process = getpid()

    def stop(self, steps: int = 1) -> dict[str, float]:
        """Stop, and return ``line/pipeline_python/FILE:LINE``: seconds per step on that line.

        Args:
            steps: How many steps were done since `start`.
        """
        process, self._process = self._process, 0
        if process != getpid():  # a process that was forked meanwhile has no such thread
            return {}
        self._going_on.release()
        self._ended.acquire()
        return {
            f"{LINE}{BEHIND_WAITING}/{file}:{line}": seconds / steps
            for (file, line), seconds in self._seconds.items()
        }

    def _sample(self, step_thread: int) -> None:
        try:
            since = time.perf_counter()
            while not self._going_on.acquire(timeout=INTERVAL_SECONDS):
                now = time.perf_counter()
                passed, since = now - since, now
                found = [
                    self._names.line(frame)
                    for thread, frame in sys._current_frames().items()
                    if thread != step_thread and _is_called(frame)
                ]
                for line in filter(None, found):
                    self._seconds[line] += passed
        finally:
            self._ended.release()


def _is_called(frame: FrameType | None) -> bool:
    """Tell whether TensorFlow has called the function that a thread is in."""
    while frame is not None:
        if frame.f_code.co_filename.replace("\\", "/").endswith(CALLER):
            return True
        frame = frame.f_back
    return False
