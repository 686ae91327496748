"""The whole graph: work that goes through all ops of a graph, so that it takes longer as one grows.

Writing a graph out, as a v1 Saver does beside each checkpoint, reading one in, putting a Saver into
one, and making a constant's bytes part of one. The choke points are private names of TensorFlow
2.19-2.21 (``python/training/saver.py``, ``python/framework``), declared here and nowhere else; one
that is missing leaves its place unmeasured.
"""

from __future__ import annotations

from labkit.measure.choke import PrivateName
from labkit.measure.counting import CountingProbe
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.record import Column

FRAMEWORK = "tensorflow.python.framework"
SAVER = "tensorflow.python.training.saver"
BUILDING = ("graph_building", "graph building")
WRITING = ("graph_writing", "writing out the graph")
BUILT = (
    PrivateName(SAVER, "BaseSaverBuilder", "_build_internal", *BUILDING),
    PrivateName(f"{FRAMEWORK}.tensor_util", "", "make_tensor_proto", *BUILDING),
    PrivateName(f"{FRAMEWORK}.importer", "", "_import_graph_def_internal", *BUILDING),
)
WRITTEN = (
    PrivateName(SAVER, "Saver", "export_meta_graph", *WRITING),
    PrivateName(f"{FRAMEWORK}.meta_graph", "", "export_scoped_meta_graph", *WRITING),
    PrivateName("tensorflow.python.summary.writer.writer", "FileWriter", "add_graph", *WRITING),
)
COUNTED = PrivateName(f"{FRAMEWORK}.ops", "Graph", "_as_graph_def", *WRITING)


class WholeGraphProbe(CountingProbe):
    """Counts how often a graph was written out, and books the time.

    Args:
        places: The stopwatch.
    """

    columns = (Column("graphs_written", "graphs written out", "graphs", "counter"),)

    def __init__(self, places: Places) -> None:
        super().__init__(places)
        self.points.hook(BUILT, alone=True)  # what a trace builds is tracing's
        self.points.hook(WRITTEN)
        self.points.hook([COUNTED], after=self.count)


def probe(hooks: Hooks) -> WholeGraphProbe:
    """Return the probe for a worker; costs nothing in a step that does none of this."""
    return WholeGraphProbe(hooks.places)
