"""What lived in a process before its loop began, set aside so that Python's end is short.

TensorFlow's import leaves a third of a million objects. At its end Python goes through all that
lives six times, which takes over a second, though no loop has made any of these. What a loop has
put into a module is let go as ever. What it has put, in a cycle, into a class or a function of a
library may be finalised by nobody; Python itself finalises few of these, for TensorFlow's and
Keras's own outlive its end.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections import deque
from itertools import compress
from operator import not_
from typing import Any

from labkit.measure.memory.instance import other_threads_waiting

# Of the stable C interface: they take an object out of the collector's lists, and put it at the end
# of the youngest. Where a Python has no `ctypes.pythonapi`, nothing is set aside.
UNTRACK, TRACK = "PyObject_GC_UnTrack", "PyObject_GC_Track"
# As a whole collection joins its lists (`gc_collect_main` in CPython): the oldest is finalised
# first, such as what still writes into a younger file.
AGES = (2, 0, 1)


class EarlierObjects:
    """Holds all that lives when it is made, so that no address of these is any other's later."""

    def __init__(self) -> None:
        self._objects, self._blocks = gc.get_objects(), sys.getallocatedblocks()

    def forget(self) -> None:
        self._objects.clear()

    def set_aside(self) -> None:
        """Have the collector go only through what was made later; where that is more, nothing."""
        # A script has imported TensorFlow itself: to find what came later would be in vain.
        if sys.getallocatedblocks() > 2 * self._blocks:
            self.forget()
            return
        enabled = gc.isenabled()
        gc.disable()  # a finaliser in between would let other threads in
        try:
            with other_threads_waiting():
                self._set_aside()
        except BaseException:  # a signal's handler of the loop's may raise
            gc.unfreeze()
            raise
        finally:
            self.forget()
            if enabled:
                gc.enable()

    def _set_aside(self) -> None:
        untrack, track = (_of_python(name) for name in (UNTRACK, TRACK))
        # Not joined as they come: a list in the making would be among them, and hold all for ever.
        oldest, youngest, others = map(gc.get_objects, AGES)
        living = oldest + youngest + others
        gc.freeze()
        known = set(map(id, self._objects))
        # No comprehension either: its cell would be among them.
        later = list(compress(living, map(not_, map(known.__contains__, map(id, living)))))
        if len(later) > len(self._objects):  # to take them up again takes longer than it saves
            gc.unfreeze()
            return
        # One step to Python, which lets no thread in between: a dictionary that one of TensorFlow's
        # has changed by then is tracked already, and Python aborts (recorded).
        deque(zip(map(untrack, later), map(track, later), strict=True), maxlen=0)


def _of_python(name: str) -> Any:
    change = getattr(ctypes.pythonapi, name)
    change.argtypes, change.restype = [ctypes.py_object], None
    return change
