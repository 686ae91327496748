"""Children: what TensorFlow did in the processes that a script started, which nobody watches.

They are looked at from outside, about once a second: nothing is put into them, and the script's own
process has no part in it.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import psutil

from labkit.measure.machine.tensorflow_threads import Work, tensorflow_work

LOOK_SECONDS = 1.0
# Looking goes through all processes of the machine: a hundredth of the time at most.
SHARE_OF_TIME = 0.01
# What multiprocessing and joblib start imports the script anew, with all that stands outside its
# functions: a variable there makes TensorFlow's threads in a pool that only loads data. A function
# that trains works in these threads, 1 to 40 % of its time, and a pool without one not at all.
COPIES = ("from multiprocessing.", "joblib.externals.loky.", "loky.backend.")
LEAST_OF_FUNCTIONS_SECONDS = 0.05


@dataclass
class _Child:
    is_copy: bool
    first: Work
    last: Work

    @property
    def seconds(self) -> float:
        """Its processor time since TensorFlow began, without that of importing it."""
        worked = self.last.functions_seconds - self.first.functions_seconds
        if self.is_copy and worked < LEAST_OF_FUNCTIONS_SECONDS:
            return 0.0
        return self.last.seconds - self.first.seconds


class Children:
    """Counts the processor time of a script's children in which TensorFlow is at work.

    Args:
        top_id: Tells which process stands above the script's own; None as long as nobody knows.
    """

    def __init__(self, top_id: Callable[[], int | None]) -> None:
        self._top_id = top_id
        self._own: psutil.Process | None = None
        self._children: dict[psutil.Process, _Child] = {}
        self._due = 0.0

    @property
    def seconds(self) -> float:
        """The processor time of all together, since TensorFlow began in each."""
        return sum(each.seconds for each in self._children.values())

    def look(self) -> None:
        """Look at those that there are now, if it is time to."""
        began = time.monotonic()
        if sys.platform != "linux" or began < self._due:
            return
        with contextlib.suppress(psutil.Error, OSError):
            self._look()
        lasted = time.monotonic() - began
        self._due = began + max(LOOK_SECONDS, lasted / SHARE_OF_TIME)

    def _look(self) -> None:
        top = self._top_id()
        if top is None:
            return
        below = psutil.Process(top).children(recursive=True)
        if self._own is None and below:
            # The script's own is the first; a process that has lost its parent comes later.
            self._own = min(below, key=lambda each: each.create_time())
        for process in below:
            if process == self._own or (work := tensorflow_work(process.pid)) is None:
                continue
            child = self._children.get(process)
            if child is None:
                self._children[process] = _Child(_is_copy(process), work, work)
            else:
                child.last = work


def _is_copy(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error, OSError):
        return any(word.startswith(COPIES) for word in process.cmdline())
    return False
