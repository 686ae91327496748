"""The input pipeline as the loop meets it: waiting for the next batch, and building the input.

Seen are the iterators and the methods of ``tf.data.Dataset`` that Python itself calls. A ``for``
over a dataset inside a tf.function asks for its data within TensorFlow, and is not seen.

The patched functions are names of TensorFlow 2.19-2.21 (``python/data/ops/iterator_ops.py`` and
``dataset_ops.py``), declared in `INPUT` and nowhere else.
"""

from __future__ import annotations

from labkit.measure.patches.counting_probe import ProbeContext, TableProbe
from labkit.measure.patches.group import Group
from labkit.measure.patches.timed_functions import PatchTable
from labkit.record import Column

ITERATOR = "tensorflow.python.data.ops.iterator_ops:OwnedIterator"
READERS = "tensorflow.python.data.ops.readers"
INPUT = PatchTable(
    (
        # `next(iterator)`, a `for` and `iterator.get_next()` all pass the first.
        Group(("data_waiting", "waiting for data"),
              {ITERATOR: ("_next_internal", "get_next_as_optional")}, counted=True),
        # Most are public, and as private to us: a version that moves one must not break the loop.
        Group(("input_building", "building the input"), {
            ITERATOR: ("_create_iterator",),
            "tensorflow.python.data.ops.dataset_ops:DatasetV2": (
                "apply", "as_numpy_iterator", "batch", "bucket_by_sequence_length", "cache",
                "choose_from_datasets", "concatenate", "enumerate", "filter", "flat_map",
                "from_generator", "from_tensor_slices", "from_tensors", "get_single_element",
                "group_by_window", "interleave", "list_files", "load", "map", "padded_batch",
                "prefetch", "ragged_batch", "random", "range", "rebatch", "reduce",
                "rejection_resample", "repeat", "sample_from_datasets", "save", "scan", "shard",
                "shuffle", "skip", "snapshot", "take", "take_while", "unbatch", "unique", "window",
                "with_options", "zip"),
            f"{READERS}:TFRecordDatasetV2": ("__init__",),
            f"{READERS}:TextLineDatasetV2": ("__init__",),
            f"{READERS}:FixedLengthRecordDatasetV2": ("__init__",),
        }),
    ),
    Column("elements", "elements taken from a dataset", "elements", "counter"),
    per_step=True,
)  # fmt: skip


class InputProbe(TableProbe):
    """Times waiting for data and building the input; counts what was handed over in the step."""

    def __init__(self, context: ProbeContext) -> None:
        self._eager = context.tensorflow.executing_eagerly
        super().__init__(INPUT, context)

    def count(self, arguments: tuple[object, ...], result: object) -> None:
        # A tf.function that is being traced passes here once, and takes nothing.
        if self._eager():
            super().count(arguments, result)
