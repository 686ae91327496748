"""Copies between TensorFlow and NumPy: their seconds, and their bytes exactly.

Seen are the ways Python itself takes: ``tensor.numpy()``, ``float(tensor)`` and the like on the way
out; ``tf.constant``, ``tf.convert_to_tensor`` and ops that are handed an array on the way in. Not
seen is what passes below Python: ``np.asarray(tensor)``, which on a CPU copies nothing, and arrays
handed to a tf.function or to the quickest eager ops.

The patched functions are private names of TensorFlow 2.19-2.21 (``python/framework/ops.py`` and
``constant_op.py``), declared in `OUT`, `WHOLE` and `IN` and nowhere else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from labkit.measure.patches.counting_probe import CountingProbe, ProbeContext
from labkit.measure.patches.group import Group
from labkit.record import Column

PLACE = ("device_copies", "copies to and from the device")
TENSOR = "tensorflow.python.framework.ops:_EagerTensorBase"
# Every way out passes the first, which on a CPU only looks at the tensor's memory; numpy() then
# makes the copy. The timers do not count the inner one twice.
OUT = Group(PLACE, {TENSOR: ("_numpy",)})
WHOLE = Group(PLACE, {TENSOR: ("numpy",)})
IN = Group(PLACE, {"tensorflow.python.framework.constant_op": ("convert_to_eager_tensor",)})


class CopiesProbe(CountingProbe):
    """Times the copies, and counts their bytes in each direction during the step."""

    counters = (
        Column("bytes_out", "bytes copied out of TensorFlow", "bytes", "counter"),
        Column("bytes_in", "bytes copied into TensorFlow", "bytes", "counter"),
    )
    anew = ("bytes_out", "bytes_in")

    def __init__(self, context: ProbeContext) -> None:
        super().__init__(context)
        self.patches.patch(OUT, after=self._went_out)
        self.patches.patch(WHOLE)
        self.patches.patch(IN, after=self._came_in)

    def _went_out(self, arguments: tuple[Any, ...], result: Any) -> None:
        self.values[self.first] += int(getattr(result, "nbytes", 0))

    def _came_in(self, arguments: tuple[Any, ...], result: Any) -> None:
        if isinstance(arguments[0], np.ndarray):  # a Python number is no array
            self.values[self.first + 1] += arguments[0].nbytes
