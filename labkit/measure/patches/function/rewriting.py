"""Rewriting: how many nodes a function's graph has before and after grappler worked on it.

TensorFlow keeps both graphs of each function it prepares, when it is asked to. The two methods
that ask for them are private names of TensorFlow 2.19-2.21 (``python/eager/context.py``), declared
in `NAMES` and nowhere else; where one is missing, nothing is counted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from labkit.measure.clock.events import Events
from labkit.measure.clock.probe import Row
from labkit.measure.patches.group import PrivateName
from labkit.record import Column

NAMES = (
    PrivateName("tensorflow.python.eager.context", "", "enable_graph_collection"),
    PrivateName("tensorflow.python.eager.context", "", "disable_graph_collection"),
    PrivateName("tensorflow.python.eager.context", "Context", "export_run_metadata"),
    PrivateName("tensorflow.python.eager.context", "", "context"),
)


class RewritingProbe:
    """Counts the nodes of the graphs that TensorFlow prepared in the step.

    Args:
        events: Takes each step in which something was prepared.

    A function is prepared when it is first called, and again when grappler's options are new to
    it; TensorFlow keeps what it has prepared, so in all other steps both counters are 0. An eager
    op counts as a tiny function when it is first run. A session's graph is not seen here.
    """

    columns = (
        Column("nodes_written", "graph nodes before they are simplified", "nodes", "counter"),
        Column("nodes_left", "graph nodes after that", "nodes", "counter"),
    )

    def __init__(self, events: Events) -> None:
        self._events = events
        self._take: Callable[[], Any] | None = None
        self.missing: list[str] = []
        functions = {name.attribute: name.value_or_note(self.missing) for name in NAMES}
        self._names: dict[str, Any] = {} if self.missing else functions

    def begin(self) -> None:
        # Not in __init__: asking starts TensorFlow's runtime, and the loop may still want to set
        # what can be set only before that.
        if self._take is None and self._names:
            self._names["enable_graph_collection"]()
            self._take = self._names["context"]().export_run_metadata

    def read(self, row: Row, place: int) -> None:
        # Outside the step; about 20 us when there is nothing new.
        metadata = self._take() if self._take is not None else None
        graphs = metadata.function_graphs if metadata is not None else ()
        written = sum(len(graph.pre_optimization_graph.node) for graph in graphs)
        left = sum(len(graph.post_optimization_graph.node) for graph in graphs)
        if graphs:
            text = f"graph prepared: {written:,} nodes written, {left:,} left by grappler"
            self._events.add("rewrite", text, written=written, left=left)
        row[place] = float(written)
        row[place + 1] = float(left)

    def close(self) -> None:
        if self._take is not None:
            self._names["disable_graph_collection"]()
            self._take = None
