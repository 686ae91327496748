"""The reader's lines that TensorFlow's own threads run, to make the data of an input pipeline.

A generator behind ``Dataset.from_generator`` or ``fit``, and what is mapped by ``tf.py_function``,
run while the step's thread waits in TensorFlow, where no profiler of that thread sees anything.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import defaultdict
from types import FrameType

from labkit.measure.clock.source_names import SourceNames
from labkit.record.source_line import LINE

# What stands for a place in the names of what is found: no timer is set there.
BEHIND_WAITING = "pipeline_python"
INTERVAL_SECONDS = 0.002
# By it TensorFlow 2.19-2.21 calls Python (``python/ops/script_ops.py``).
CALLER = "tensorflow/python/ops/script_ops.py"


class PipelineThreads:
    """Samples those threads between `start` and `stop`, from a thread of its own."""

    def __init__(self) -> None:
        self._names = SourceNames()
        self._seconds: defaultdict[tuple[str, int], float] = defaultdict(float)
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Sample from here on."""
        self._seconds.clear()
        self._stopping.clear()
        thread = threading.Thread(target=self._sample, args=(threading.get_ident(),), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # no more threads can be started
            return
        self._thread = thread

    def stop(self, steps: int = 1) -> dict[str, float]:
        """Stop, and return ``line/pipeline_python/FILE:LINE``: seconds per step on that line.

        Args:
            steps: How many steps were done since `start`.
        """
        thread, self._thread = self._thread, None
        if thread is None:
            return {}
        self._stopping.set()
        thread.join()
        return {
            f"{LINE}{BEHIND_WAITING}/{file}:{line}": seconds / steps
            for (file, line), seconds in self._seconds.items()
        }

    def _sample(self, step_thread: int) -> None:
        since = time.perf_counter()
        while not self._stopping.wait(INTERVAL_SECONDS):
            now = time.perf_counter()
            passed, since = now - since, now
            found = [
                self._names.line(frame)
                for thread, frame in sys._current_frames().items()
                if thread != step_thread and _is_called(frame)
            ]
            for line in filter(None, found):
                self._seconds[line] += passed


def _is_called(frame: FrameType | None) -> bool:
    """Tell whether TensorFlow has called the function that a thread is in."""
    while frame is not None:
        if frame.f_code.co_filename.replace("\\", "/").endswith(CALLER):
            return True
        frame = frame.f_back
    return False
