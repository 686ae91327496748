"""Faults of data on their way in and out, and one growth that is no fault: more work."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from labkit.faults.fault import Fault


class CheckpointWriting(Fault):
    """A checkpoint of a table that grows is written. A unit is 256 floats."""

    def __init__(self) -> None:
        import tensorflow as tf

        self._tf = tf
        self._table = tf.Variable(tf.zeros([256, 1]), shape=[256, None])
        self._checkpoint = tf.train.Checkpoint(table=self._table)
        self._path = os.path.join(tempfile.mkdtemp(), "table")
        self._columns = 1

    def enlarge(self, units: int) -> None:
        self._columns += units
        self._table.assign(self._tf.zeros([256, self._columns]))

    def act(self) -> None:
        self._checkpoint.write(self._path)


class ExpensiveData(Fault):
    """Each element of a dataset takes longer to make. A unit is one turn of its making."""

    def __init__(self) -> None:
        import tensorflow as tf

        turns = tf.Variable(1, dtype=tf.int32)
        noise = tf.random.stateless_normal([48, 48], [1, 2]) * 0.1

        def make(number: Any) -> Any:
            picture = noise + tf.cast(number, tf.float32)
            for _ in tf.range(turns):
                picture = tf.tanh(picture @ noise)
            return tf.reduce_mean(picture)

        options = tf.data.Options()
        # Nothing made ahead: else the training step would hide what the data take.
        options.autotune.enabled = False
        elements = tf.data.Dataset.range(2**40).map(make).with_options(options)
        self._turns = turns
        self._elements = iter(elements)

    def enlarge(self, units: int) -> None:
        self._turns.assign_add(units)

    def act(self) -> None:
        next(self._elements)


class Rereading(Fault):
    """A dataset is read from its beginning to where it stopped. A unit is one element."""

    def __init__(self) -> None:
        import tensorflow as tf

        noise = tf.random.stateless_normal([32, 32], [1, 2]) * 0.1
        self._data = tf.data.Dataset.range(1_000_000).map(
            lambda number: tf.reduce_mean(tf.tanh(noise @ noise + tf.cast(number, tf.float32)))
        )
        self._done = 0

    def enlarge(self, units: int) -> None:
        self._done += units

    def act(self) -> None:
        next(iter(self._data.skip(self._done)))


class WorkGrowth(Fault):
    """A model is evaluated on ever more rows. A unit is one row."""

    def __init__(self) -> None:
        import tensorflow as tf

        kernel = tf.random.stateless_normal([256, 256], [1, 1]) * 0.1
        self._data = tf.random.stateless_normal([100_000, 256], [1, 3])

        @tf.function(input_signature=[tf.TensorSpec([None, 256])])
        def evaluate(rows: Any) -> Any:
            return tf.reduce_mean(tf.tanh(tf.tanh(rows @ kernel) @ kernel))

        self._evaluate = evaluate
        self._rows = 16

    def enlarge(self, units: int) -> None:
        self._rows = min(self._rows + units, len(self._data))

    def act(self) -> None:
        self._evaluate(self._data[: self._rows])
