"""Copies between TensorFlow and NumPy: their seconds, and their bytes exactly.

Seen are the ways Python itself takes: ``tensor.numpy()``, ``float(tensor)`` and the like on the way
out; ``tf.constant``, ``tf.convert_to_tensor`` and ops that are handed an array on the way in. Not
seen is what passes below Python: ``np.asarray(tensor)``, which on a CPU copies nothing, and arrays
handed to a tf.function or to the quickest eager ops.

The choke points are private names of TensorFlow 2.19-2.21 (``python/framework/ops.py`` and
``constant_op.py``), declared in `OUT`, `WHOLE` and `IN` and nowhere else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from labkit.measure.choke import PrivateName
from labkit.measure.counting import CountingProbe
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.record import Column

PLACE = ("device_copies", "copies to and from the device")
# Every way out passes the first, which on a CPU only looks at the tensor's memory; numpy() then
# makes the copy. The stopwatch does not count the inner one twice.
OUT = (PrivateName("tensorflow.python.framework.ops", "_EagerTensorBase", "_numpy", *PLACE),)
WHOLE = (PrivateName("tensorflow.python.framework.ops", "_EagerTensorBase", "numpy", *PLACE),)
IN = (
    PrivateName("tensorflow.python.framework.constant_op", "", "convert_to_eager_tensor", *PLACE),
)


class CopiesProbe(CountingProbe):
    """Books the copies, and counts their bytes in each direction during the step.

    Args:
        places: The stopwatch that records the choke points' time.
    """

    columns = (
        Column("bytes_out", "bytes copied out of TensorFlow", "bytes", "counter"),
        Column("bytes_in", "bytes copied into TensorFlow", "bytes", "counter"),
    )
    anew = ("bytes_out", "bytes_in")

    def __init__(self, places: Places) -> None:
        super().__init__(places)
        self.points.hook(OUT, after=self._went_out)
        self.points.hook(WHOLE)
        self.points.hook(IN, before=self._comes_in)

    def _went_out(self, arguments: tuple[Any, ...], result: Any) -> None:
        self.values[self.first] += int(getattr(result, "nbytes", 0))

    def _comes_in(self, arguments: tuple[Any, ...]) -> None:
        if isinstance(arguments[0], np.ndarray):  # a Python number is no array
            self.values[self.first + 1] += arguments[0].nbytes


def probe(hooks: Hooks) -> CopiesProbe:
    """Make the probe."""
    return CopiesProbe(hooks.places)
