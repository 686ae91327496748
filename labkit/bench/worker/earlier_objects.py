"""What lived in a process before its loop began, set aside so that Python's end is short.

TensorFlow's import leaves a third of a million objects. At its end Python goes through all that
lives six times, which takes over a second, though no loop has made any of these. What a loop has
put into a module, or into an object of one, is let go as ever. What it has put into a class of
another's, and what is held in a cycle there, no finaliser is called for; Python itself calls it for
few, for what is in TensorFlow's and Keras's classes outlives its end.
"""

from __future__ import annotations

import ctypes
import gc
from itertools import compress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

# Of the stable C interface: they take an object out of the collector's lists, and put it into the
# youngest. Guarded all the same, for another Python may have no `ctypes.pythonapi`.
UNTRACK, TRACK = "PyObject_GC_UnTrack", "PyObject_GC_Track"


class EarlierObjects:
    """Holds all that lives when it is made, so that no address of these is any other's later."""

    def __init__(self) -> None:
        self._objects = gc.get_objects()

    def forget(self) -> None:
        self._objects.clear()

    def set_aside(self) -> None:
        """Have the collector go only through what was made later; where that is more, nothing."""
        living = gc.get_objects()
        if len(living) > 2 * len(self._objects):  # to sort them out would take longer than it saves
            return self.forget()
        # Not at the top: its threads would be in a worker that is not yet where it belongs.
        import numpy as np

        earlier, addresses = _addresses(self._objects), _addresses(living)
        earlier.sort()
        place = np.minimum(np.searchsorted(earlier, addresses), len(earlier) - 1)
        # No comprehension: its cell would be among what lives, and hold that in a cycle for ever.
        later = list(compress(living, earlier[place] != addresses))
        untrack, track = (getattr(ctypes.pythonapi, name) for name in (UNTRACK, TRACK))
        for change in (untrack, track):
            change.argtypes, change.restype = [ctypes.py_object], None
        gc.freeze()
        for each in later:
            untrack(each)
            track(each)
        return self.forget()


def _addresses(objects: list[object]) -> np.ndarray:
    import numpy as np

    return np.fromiter(map(id, objects), np.intp, len(objects))
