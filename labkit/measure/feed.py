"""The input pipeline as the loop meets it: waiting for the next batch, and building the input.

Seen are the iterators and the methods of ``tf.data.Dataset`` that Python itself calls. A ``for``
over a dataset inside a tf.function asks for its data within TensorFlow, and is not seen.

The choke points are names of TensorFlow 2.19-2.21 (``python/data/ops/iterator_ops.py`` and
``dataset_ops.py``), declared in `ASKING`, `OPENING` and `METHODS` and nowhere else.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from labkit.measure.choke import PrivateName
from labkit.measure.counting import CountingProbe
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.record import Column

# `next(iterator)`, a `for` and `iterator.get_next()` all pass the first.
ASKING = tuple(
    PrivateName("tensorflow.python.data.ops.iterator_ops", "OwnedIterator", name,
                "data_waiting", "waiting for data")
    for name in ("_next_internal", "get_next_as_optional")
)  # fmt: skip
OPENING = (
    PrivateName("tensorflow.python.data.ops.iterator_ops", "OwnedIterator", "_create_iterator",
                "input_building", "building the input"),
)  # fmt: skip
# Public, and as private to us: a version that moves one must not break the loop.
METHODS = tuple(
    PrivateName("tensorflow.python.data.ops.dataset_ops", "DatasetV2", name,
                "input_building", "building the input")
    for name in (
        "apply", "as_numpy_iterator", "batch", "bucket_by_sequence_length", "cache",
        "choose_from_datasets", "concatenate", "enumerate", "filter", "flat_map", "from_generator",
        "from_tensor_slices", "from_tensors", "get_single_element", "group_by_window",
        "interleave", "list_files", "load", "map", "padded_batch", "prefetch", "ragged_batch",
        "random", "range", "rebatch", "reduce", "rejection_resample", "repeat",
        "sample_from_datasets", "save", "scan", "shard", "shuffle", "skip", "snapshot", "take",
        "take_while", "unbatch", "unique", "window", "with_options", "zip",
    )
) + tuple(
    PrivateName("tensorflow.python.data.ops.readers", name, "__init__",
                "input_building", "building the input")
    for name in ("TFRecordDatasetV2", "TextLineDatasetV2", "FixedLengthRecordDatasetV2")
)  # fmt: skip


class FeedProbe(CountingProbe):
    """Books waiting for data and building the input, and counts what was handed over in the step.

    Args:
        tensorflow: The imported module.
        places: The stopwatch that records the choke points' time.
    """

    columns = (Column("elements", "elements taken from a dataset", "elements", "counter"),)
    anew = ("elements",)

    def __init__(self, tensorflow: ModuleType, places: Places) -> None:
        self._eager = tensorflow.executing_eagerly
        super().__init__(places)
        self.points.hook(ASKING, after=self._count)
        self.points.hook((*OPENING, *METHODS))

    def _count(self, arguments: tuple[Any, ...], result: Any) -> None:
        # A tf.function that is being traced passes here once, and takes nothing.
        if self._eager():
            self.values[self.first] += 1


def probe(hooks: Hooks) -> FeedProbe:
    """Make the probe."""
    return FeedProbe(hooks.tensorflow, hooks.places)
