"""Faults that make a step dearer by what is already there, each real and each of a size to choose.

A fault is enlarged by some units, and acted out once a step; acting takes longer the larger it is.
"""

from __future__ import annotations

import gc
import os
import tempfile
from typing import Any, Protocol


class Fault(Protocol):
    """One fault at work.

    Args:
        own: Units that acting it out adds by itself.
    """

    own: int

    def enlarge(self, units: int) -> None:
        """Add to what is there."""

    def act(self) -> None:
        """Do what the fault does in one step."""


class GraphGrowth:
    """Ops are added to a graph, and its session run. A unit is one op."""

    own = 1

    def __init__(self) -> None:
        import tensorflow as tf

        self._tf = tf
        self._graph = tf.Graph()
        with self._graph.as_default():
            self._start = tf.compat.v1.placeholder_with_default(1.0, [])
        self._session = tf.compat.v1.Session(graph=self._graph)

    def enlarge(self, units: int) -> None:
        with self._graph.as_default():
            for _ in range(units):
                self._tf.identity(self._start)

    def act(self) -> None:
        with self._graph.as_default():
            newest = self._tf.identity(self._start)
        self._session.run(newest)


class Retracing:
    """A function is made anew each time and unrolls a loop. A unit is one turn of its loop."""

    own = 0

    def __init__(self) -> None:
        import tensorflow as tf

        self._tf = tf
        self._turns = 0
        self._start = tf.ones([4, 4])

    def enlarge(self, units: int) -> None:
        self._turns += units

    def act(self) -> None:
        @self._tf.function(autograph=False)
        def unrolled(state: Any) -> Any:
            for _ in range(self._turns):
                state = state @ state
            return state

        unrolled(self._start)


class History:
    """All losses so far are stacked and averaged. A unit is one kept tensor."""

    own = 0

    def __init__(self) -> None:
        import tensorflow as tf

        self._tf = tf
        self.losses = [tf.constant(0.5)]

    def enlarge(self, units: int) -> None:
        self.losses.extend(self._tf.constant(float(unit)) for unit in range(units))

    def act(self) -> None:
        self._tf.reduce_mean(self._tf.stack(self.losses))


class Garbage:
    """Full collections of a heap that grows. A unit is a record of two tracked objects."""

    own = 0

    def __init__(self) -> None:
        self.records: list[dict[str, list[int]]] = []
        # As those advise who collect by hand: else TensorFlow's own 300,000 objects are most of it.
        gc.collect()
        gc.freeze()

    def enlarge(self, units: int) -> None:
        self.records.extend({"row": [unit]} for unit in range(units))

    def act(self) -> None:
        gc.collect()


class CheckpointWriting:
    """A checkpoint of a table that grows is written. A unit is 256 floats."""

    own = 0

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


class DearData:
    """Each element of a dataset takes longer to make. A unit is one turn of its making."""

    own = 0

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


class WorkGrowth:
    """A model is evaluated on ever more rows. A unit is one row."""

    own = 0

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


FAULTS: dict[str, type[Fault]] = {
    "graph_growth": GraphGrowth,
    "retracing": Retracing,
    "history": History,
    "garbage": Garbage,
    "checkpoint_io": CheckpointWriting,
    "input_pipeline": DearData,
    "work_growth": WorkGrowth,
}
