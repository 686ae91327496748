"""Graphs and sessions: the number of ops, and the time to build, to extend and to run a graph.

The patched functions are private names of TensorFlow 2.19-2.21 (``python/framework/ops.py``,
``python/framework/op_def_library.py``, ``python/client/session.py``). They are declared here and
nowhere else; one that is missing leaves its place unmeasured.
"""

from __future__ import annotations

import weakref
from typing import Any

from labkit.measure.patches.counting_probe import CountingProbe, ProbeContext
from labkit.measure.patches.group import Group
from labkit.record import Column

FRAMEWORK = "tensorflow.python.framework"
SESSION = "tensorflow.python.client.session:BaseSession"
BUILDING = ("graph_building", "graph building")
# An op made from Python passes the first, a constant only the second; the first calls the second,
# and the timers do not count that twice. What a trace or a model builds is the work of that: else
# two causes would claim it.
APPLYING = Group(BUILDING, {f"{FRAMEWORK}.op_def_library": ("_apply_op_helper",)}, alone=True)
CREATING = Group(BUILDING, {f"{FRAMEWORK}.ops:Graph": ("_create_op_internal",)}, alone=True)
# A run within another place is that place's own work: the run that writes a checkpoint, or the
# initialiser's. Handing over a changed graph is not, wherever it happens.
RUNNING = (
    Group(("session_extension", "session extension"), {SESSION: ("_extend_graph",)}),
    # The second is what a session's callable runs that was made from options, as tf_keras does.
    Group(("session_run", "session run"), {
        SESSION: ("_call_tf_sessionrun",),
        "tensorflow.python.client.pywrap_tf_session": ("TF_SessionRunCallable",),
    }, alone=True),
)  # fmt: skip


class GraphProbe(CountingProbe):
    """Counts the ops of every graph the loop builds; times what builds and runs them.

    A tf.function's graphs are not counted: tracing has its own counters.
    """

    counters = (Column("graph_ops", "ops in the graph", "ops", "counter"),)

    def __init__(self, context: ProbeContext) -> None:
        super().__init__(context)
        self._graphs: dict[int, weakref.ref[Any]] = {}
        self._graph_class = context.tensorflow.Graph
        self.patches.patch(APPLYING)
        self.patches.patch(CREATING, before=self._see)
        self.patches.patch(*RUNNING)

    def _see(self, arguments: tuple[Any, ...]) -> None:
        graph = arguments[0]
        if type(graph) is self._graph_class and id(graph) not in self._graphs:
            # Only now: a loop without graphs must not pay for looking at them.
            if self._count not in self.timers.gathering:
                self.timers.gathering.append(self._count)
            key = id(graph)
            self._graphs[key] = weakref.ref(graph, lambda _gone: self._graphs.pop(key, None))

    def _count(self) -> None:
        # Graph.version is the number of ops ever added; it costs 0.3 us where len(operations)
        # would copy the list.
        ops = 0
        for reference in list(self._graphs.values()):
            graph = reference()
            ops += graph.version if graph is not None else 0
        self.values[self.first] = ops
