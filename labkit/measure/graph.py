"""Graphs and sessions: the number of ops, and the time to build, to extend and to run a graph.

The choke points are private names of TensorFlow 2.19-2.21 (``python/framework/ops.py``,
``python/framework/op_def_library.py``, ``python/client/session.py``). They are declared in
`CHOKE_POINTS` and nowhere else; one that is missing leaves its place unmeasured.
"""

from __future__ import annotations

import weakref
from types import ModuleType
from typing import Any

from labkit.measure.choke import ChokePoints, PrivateName
from labkit.measure.places import Places
from labkit.measure.tally import Tallied
from labkit.record import Column

CHOKE_POINTS = (
    # An op made from Python passes the first, a constant only the second; the first calls the
    # second, and the stopwatch does not count that twice.
    PrivateName("tensorflow.python.framework.op_def_library", "", "_apply_op_helper",
                "graph_building", "graph building"),
    PrivateName("tensorflow.python.framework.ops", "Graph", "_create_op_internal",
                "graph_building", "graph building"),
    PrivateName("tensorflow.python.client.session", "BaseSession", "_extend_graph",
                "session_extension", "session extension"),
    PrivateName("tensorflow.python.client.session", "BaseSession", "_call_tf_sessionrun",
                "session_run", "session run"),
)  # fmt: skip


class GraphProbe(Tallied):
    """Counts the ops of every graph the loop builds; hooks the choke points into a stopwatch.

    Args:
        tensorflow: The imported module.
        places: The stopwatch that records the choke points' time.

    A tf.function's graphs are not counted: tracing has its own counters.
    """

    columns = (Column("graph_ops", "ops in the graph", "ops", "counter"),)

    def __init__(self, tensorflow: ModuleType, places: Places) -> None:
        super().__init__(places.board)
        self._graphs: dict[int, weakref.ref[Any]] = {}
        self._graph_class = tensorflow.Graph
        self._points = ChokePoints(places)
        # What a trace or a model builds is the work of that: else two causes would claim it.
        self._points.hook(CHOKE_POINTS[:1], alone=True)
        self._points.hook(CHOKE_POINTS[1:2], before=self._see, alone=True)
        self._points.hook(CHOKE_POINTS[2:3])
        # A run within another place is that place's own work: the run that writes a checkpoint, or
        # the initialiser's. Handing over a changed graph is not, wherever it happens.
        self._points.hook(CHOKE_POINTS[3:], alone=True)

    @property
    def missing(self) -> list[str]:
        """The private names this TensorFlow does not have."""
        return self._points.missing

    def _see(self, arguments: tuple[Any, ...]) -> None:
        graph = arguments[0]
        if type(graph) is self._graph_class and id(graph) not in self._graphs:
            # Only now: a loop without graphs must not pay for looking at them.
            if self._count not in self.board.gathering:
                self.board.gathering.append(self._count)
            key = id(graph)
            self._graphs[key] = weakref.ref(graph, lambda _gone: self._graphs.pop(key, None))

    def _count(self) -> None:
        # Graph.version is the number of ops ever added; it costs 0.3 us where len(operations)
        # would copy the list.
        ops = 0
        for found in list(self._graphs.values()):
            graph = found()
            ops += graph.version if graph is not None else 0
        self.values[self.first] = ops

    def close(self) -> None:
        self._points.close()
