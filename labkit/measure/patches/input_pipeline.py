"""The input pipeline as the loop meets it: waiting for the next batch, and building the input.

Seen are the iterators and the methods of ``tf.data.Dataset`` that Python itself calls. A ``for``
over a dataset inside a tf.function asks for its data within TensorFlow, and is not seen.

The patched functions are names of TensorFlow 2.19-2.21 (``python/data/ops/iterator_ops.py`` and
``dataset_ops.py``), declared in `WAITING`, `OPENING` and `DATASETS` and nowhere else.
"""

from __future__ import annotations

from labkit.measure.patches.counting_probe import CountingProbe, ProbeContext
from labkit.measure.patches.group import Group
from labkit.record import Column

ITERATOR = "tensorflow.python.data.ops.iterator_ops:OwnedIterator"
READERS = "tensorflow.python.data.ops.readers"
# `next(iterator)`, a `for` and `iterator.get_next()` all pass the first.
WAITING = Group(
    ("data_waiting", "waiting for data"), {ITERATOR: ("_next_internal", "get_next_as_optional")}
)
BUILDING = ("input_building", "building the input")
OPENING = Group(BUILDING, {ITERATOR: ("_create_iterator",)})
# Most are public, and as private to us: a version that moves one must not break the loop.
DATASETS = Group(BUILDING, {
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
})  # fmt: skip


class InputProbe(CountingProbe):
    """Times waiting for data and building the input; counts what is handed over, and iterators."""

    counters = (
        Column("elements", "elements taken from a dataset", "elements", "counter"),
        Column("iterators", "iterators made over datasets", "iterators", "counter"),
    )
    anew = ("elements",)

    def __init__(self, context: ProbeContext) -> None:
        self._eager = context.tensorflow.executing_eagerly
        super().__init__(context)
        self.patches.patch(WAITING, after=self.count)
        self.patches.patch(OPENING, after=self._opened)
        self.patches.patch(DATASETS)

    def count(self, arguments: tuple[object, ...], result: object) -> None:
        # A tf.function that is being traced passes here once, and takes nothing.
        if self._eager():
            super().count(arguments, result)

    def _opened(self, arguments: tuple[object, ...], result: object) -> None:
        self.values[self.first + 1] += 1
