"""Faults of graphs and tapes."""

from __future__ import annotations

from typing import Any

from labkit.faults.fault import Fault


class GraphGrowth(Fault):
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


class Retracing(Fault):
    """A function is made anew each time and unrolls a loop. A unit is one turn of its loop."""

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


class OpenTape(Fault):
    """A tape stays open, and each gradient goes back through all of it. A unit is three ops."""

    def __init__(self) -> None:
        import tensorflow as tf

        self._state = tf.Variable(1.0)
        self._tape = tf.GradientTape(persistent=True)
        self._tape.__enter__()
        self._total = self._state * 1.0

    def enlarge(self, units: int) -> None:
        for _ in range(units):
            self._total = self._total * 0.999 + self._state * 0.001

    def act(self) -> None:
        self._tape.gradient(self._total, self._state)
