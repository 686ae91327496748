"""Graphs and sessions: the number of ops, and the time to build, to extend and to run a graph.

The choke points are private names of TensorFlow 2.19-2.21 (``python/framework/ops.py``,
``python/framework/op_def_library.py``, ``python/client/session.py``). They are declared in
`CHOKE_POINTS` and nowhere else; one that is missing leaves its place unmeasured.
"""

from __future__ import annotations

import importlib
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from labkit.measure.choke import ChokePoint
from labkit.measure.places import Places
from labkit.measure.probe import Row
from labkit.record import Column


@dataclass(frozen=True)
class PrivateName:
    """Where a choke point is in TensorFlow, and the place its time is booked on."""

    module: str
    owner: str
    attribute: str
    place: str
    title: str


CHOKE_POINTS = (
    # An op made from Python passes the first, a constant only the second; the first calls the
    # second, and the stopwatch does not count that twice.
    PrivateName("framework.op_def_library", "", "_apply_op_helper",
                "graph_building", "graph building"),
    PrivateName("framework.ops", "Graph", "_create_op_internal",
                "graph_building", "graph building"),
    PrivateName("client.session", "BaseSession", "_extend_graph",
                "session_extension", "session extension"),
    PrivateName("client.session", "BaseSession", "_call_tf_sessionrun",
                "session_run", "session run"),
)  # fmt: skip


class GraphProbe:
    """Counts the ops of every graph the loop builds; hooks the choke points into a stopwatch.

    Args:
        tensorflow: The imported module.
        places: The stopwatch that records the choke points' time.

    A tf.function's graphs are not counted: tracing has its own counters.
    """

    columns = (Column("graph_ops", "ops in the graph", "ops", "counter"),)

    def __init__(self, tensorflow: ModuleType, places: Places) -> None:
        self._graphs: weakref.WeakSet[Any] = weakref.WeakSet()
        self._graph_class = tensorflow.Graph
        self._points: list[ChokePoint] = []
        self.missing: list[str] = []
        numbers: dict[str, int] = {}
        for private in CHOKE_POINTS:
            try:
                owner = _owner(tensorflow, private)
                getattr(owner, private.attribute)
            except (ImportError, AttributeError):
                self.missing.append(f"{private.module}.{private.attribute}")
                continue
            if private.place not in numbers:
                numbers[private.place] = places.add(private.place, private.title)
            seen = self._see if private.owner == "Graph" else None
            point = ChokePoint(owner, private.attribute, places, numbers[private.place], seen)
            self._points.append(point)

    def _see(self, graph: Any) -> None:
        if type(graph) is self._graph_class:
            self._graphs.add(graph)

    def read(self, row: Row, place: int) -> None:
        # Graph.version is the number of ops ever added; it costs 0.3 us where len(operations)
        # would copy the list.
        row[place] = float(sum(self._versions()))

    def _versions(self) -> Iterator[int]:
        return (graph.version for graph in self._graphs)

    def close(self) -> None:
        for point in reversed(self._points):
            point.close()
        self._points.clear()


def _owner(tensorflow: ModuleType, private: PrivateName) -> Any:
    module = importlib.import_module(f"{tensorflow.__name__}.python.{private.module}")
    return getattr(module, private.owner) if private.owner else module
