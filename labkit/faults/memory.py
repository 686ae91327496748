"""Faults of what is kept."""

from __future__ import annotations

import gc
from typing import Any

from labkit.faults.fault import Fault


class History(Fault):
    """All losses so far are stacked and averaged. A unit is one kept tensor."""

    def __init__(self) -> None:
        import tensorflow as tf

        self._tf = tf
        self.losses = [tf.constant(0.5)]

    def enlarge(self, units: int) -> None:
        self.losses.extend(self._tf.constant(float(unit)) for unit in range(units))

    def act(self) -> None:
        self._tf.reduce_mean(self._tf.stack(self.losses))


class Garbage(Fault):
    """Full collections of a heap that grows. A unit is a record of two tracked objects."""

    def __init__(self) -> None:
        self.records: list[dict[str, list[int]]] = []
        # As those advise who collect by hand: else TensorFlow's own 300,000 objects are most of it.
        gc.collect()
        gc.freeze()

    def enlarge(self, units: int) -> None:
        self.records.extend({"row": [unit]} for unit in range(units))

    def act(self) -> None:
        gc.collect()


class KeptObjects(Fault):
    """Tensors that nobody needs are kept: they cost memory, and no time. A unit is one tensor."""

    def __init__(self) -> None:
        import tensorflow as tf

        self._tf = tf
        self.kept: list[Any] = []

    def enlarge(self, units: int) -> None:
        self.kept.extend(self._tf.zeros([64, 16]) + 1.0 for _ in range(units))

    def act(self) -> None:
        pass
