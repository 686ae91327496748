"""Elements that are picked from a tensor one by one: how many, and the time that it takes.

``for value in tensor`` and ``tensor[i]`` run an op for each element, a hundred times as long as
Python takes to pick it from an array. The first pick from a tensor is no such loop, and a slice is
none at all.

The patched function is that of TensorFlow 2.19-2.21 (``python/framework/tensor.py``), declared in
`PICK` and nowhere else.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from labkit.measure.clock.timing import Timed, dressed, timed
from labkit.measure.patches.counting_probe import CountingProbe, ProbeContext
from labkit.measure.patches.group import PrivateName
from labkit.record import Column

PICK = PrivateName("tensorflow.python.framework.tensor", "Tensor", "__getitem__")
PLACE = ("picking", "picking elements from tensors")
WHOLE_NUMBERS = (int, np.integer)
# As many are known at a time. Not those of a step: a turn of the loop that picks may be a row.
MOST_TENSORS = 256


class PickingProbe(CountingProbe):
    """Times the picking of elements from a tensor, from the second on, and counts them."""

    counters = (
        Column("elements_picked", "elements picked from tensors one by one", "elements", "counter"),
    )
    anew = ("elements_picked",)

    def __init__(self, context: ProbeContext) -> None:
        super().__init__(context)
        # By the numbers that TensorFlow gives them: Python's own are used again.
        self._picked: set[int] = set()
        self._place = self.timers.add(*PLACE)
        if not self.patches.replace(PICK, self._watched):
            self.give_up("elements_picked")
            self.timers.give_up(self._place)

    def _watched(self, original: Timed) -> Timed:
        thread, ident, values, at = self.timers.thread, threading.get_ident, self.values, self.first
        picked, recorded = self._picked, timed(original, self.timers, self._place, alone=True)

        def pick(*given: Any, **by_name: Any) -> Any:
            if by_name or len(given) != 2 or not _of_one(given[1]) or ident() != thread:
                return original(*given, **by_name)
            number = getattr(given[0], "_id", 0)
            if number not in picked:
                if len(picked) == MOST_TENSORS:
                    picked.clear()
                picked.add(number)
                return original(*given)
            values[at] += 1
            return recorded(*given)

        return dressed(pick, original)


def _of_one(index: object) -> bool:
    """Tell whether an index is that of an element, rather than a slice."""
    if isinstance(index, tuple):
        return all(isinstance(each, WHOLE_NUMBERS) for each in index)
    return isinstance(index, WHOLE_NUMBERS)
