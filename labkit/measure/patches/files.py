"""Checkpoint and summary files: what is written, what lies in the folder, and the time it takes.

The patched functions are private names of TensorFlow 2.19-2.21 and of Keras 3, declared in the
constants below and nowhere else; one that is missing leaves its place unmeasured. Writing,
rewriting the text file ``checkpoint`` that lists all checkpoints, and looking through the folder
are timed apart.
"""

from __future__ import annotations

import os
import threading
import time
from typing import Any

from labkit.measure.patches.counting_probe import CountingProbe, ProbeContext
from labkit.measure.patches.group import Group
from labkit.record import Column

CHECKPOINT = "tensorflow.python.checkpoint.checkpoint"
MANAGEMENT = "tensorflow.python.checkpoint.checkpoint_management"
SAVER = "tensorflow.python.training.saver"
HDF5 = "keras.src.legacy.saving.legacy_h5_format"
WRITE = ("checkpoint_write", "checkpoint write")
LISTING = ("checkpoint_listing", "checkpoint folder listing")
EVENTS = ("summary_write", "summary write")

# All that a save does; the more exact places below are taken out of it.
AROUND = Group(WRITE, {
    f"{MANAGEMENT}:CheckpointManager": ("save",),
    f"{CHECKPOINT}:Checkpoint": ("save", "write"),
})  # fmt: skip
# These return, or were given, the name of what has really been written. In the background they run
# on a thread of TensorFlow's: then they are counted, and no second of the step's is recorded.
WRITES = (
    Group(WRITE, {f"{CHECKPOINT}:TrackableSaver": ("save",), f"{SAVER}:Saver": ("save",)}),
    Group(WRITE, {"keras.src.saving.saving_lib": ("save_weights_only", "save_model")},
          deferred=True),
)  # fmt: skip
INDEX = Group(
    ("checkpoint_index", "checkpoint index"), {MANAGEMENT: ("update_checkpoint_state_internal",)}
)
OTHERS = (
    # Both look through every name in the folder: for files to delete, and for files to weigh.
    Group(LISTING, {
        MANAGEMENT: ("_delete_file_if_exists",),
        CHECKPOINT: ("_get_checkpoint_size",),
        SAVER: ("_get_checkpoint_size",),
    }),
    Group(EVENTS, {
        "tensorflow.python.ops.gen_summary_ops": (
            "write_summary", "write_scalar_summary", "write_raw_proto_summary",
            "write_histogram_summary", "write_image_summary", "write_audio_summary",
            "write_graph_summary", "flush_summary_writer", "close_summary_writer"),
        # The v1 writer hands events to a thread of its own, and waits where that one falls behind.
        "tensorflow.python.summary.writer.event_file_writer:EventFileWriter": (
            "__init__", "add_event", "flush", "close"),
    }),
    # What is read back, e.g. by a loop that restores its best weights at every turn.
    Group(("checkpoint_read", "checkpoint read"), {
        f"{CHECKPOINT}:TrackableSaver": ("restore",), f"{SAVER}:Saver": ("restore",)}),
    Group(WRITE, {
        HDF5: ("save_model_to_hdf5", "save_weights_to_hdf5_group"),
        "keras.src.callbacks.model_checkpoint:ModelCheckpoint": ("_save_model",),
    }, deferred=True),
)  # fmt: skip

# Up to here a listing takes less than a millisecond, outside the step's clock; a fuller folder is
# looked at once a second at most.
FEW_FILES = 2_000
SECONDS_BETWEEN_LISTINGS = 1.0


class FilesProbe(CountingProbe):
    """Counts saves and their bytes; records the time on five places."""

    counters = (
        Column("checkpoint_saves", "checkpoints written", "checkpoints", "counter"),
        Column("checkpoint_bytes", "bytes written to checkpoints", "bytes", "counter"),
        Column("index_bytes", "size of the index file", "bytes", "counter"),
        Column("folder_files", "files in the checkpoint folder", "files", "counter"),
    )

    def __init__(self, context: ProbeContext) -> None:
        super().__init__(context)
        self._own = threading.local()
        self._lock = threading.Lock()
        self._saves, self._bytes = self.at("checkpoint_saves"), self.at("checkpoint_bytes")
        self._index_bytes, self._files = self.at("index_bytes"), self.at("folder_files")
        self._folder = ""
        self._changed = False
        self._listed = 0.0
        self.patches.patch(AROUND)
        self.patches.patch(*WRITES, before=self._begin, after=self._written)
        self.patches.patch(INDEX, after=self._indexed)
        self.patches.patch(*OTHERS)

    def _begin(self, arguments: tuple[Any, ...]) -> None:
        self._own.began = time.perf_counter()

    def _written(self, arguments: tuple[Any, ...], result: Any) -> None:
        seconds = time.perf_counter() - self._own.began
        name = _file_name(arguments, result)
        if not name:
            return
        size = sum(_size(name + end) for end in ("", ".index", ".data-00000-of-00001"))
        with self._lock:  # a save in the background comes from a thread of TensorFlow's
            self.values[self._saves] += 1
            self.values[self._bytes] += size
            self._folder = os.path.dirname(name)
            self._change()
        self.events.add(
            "checkpoint",
            f"checkpoint written: {size / 1e6:.2f} MB in {seconds * 1e3:.0f} ms",
            bytes=size,
            seconds=seconds,
            background=threading.current_thread() is not threading.main_thread(),
        )

    def _indexed(self, arguments: tuple[Any, ...], result: Any) -> None:
        if arguments:
            size = _size(os.path.join(arguments[0], "checkpoint"))
            with self._lock:
                self.values[self._index_bytes] = size
                self._change()

    def _change(self) -> None:
        self._changed = True
        # Only now: a loop that writes no file must not pay for looking at them.
        if self._list not in self.timers.gathering:
            self.timers.gathering.append(self._list)

    def _list(self) -> None:
        if not self._changed:
            return
        now = time.monotonic()
        many = self.values[self._files] > FEW_FILES
        if many and now - self._listed < SECONDS_BETWEEN_LISTINGS:
            return
        self._changed = False
        self._listed = now
        try:
            self.values[self._files] = len(os.listdir(self._folder or "."))
        except OSError:  # the loop has taken its folder away
            self.values[self._files] = 0


def _file_name(arguments: tuple[Any, ...], result: Any) -> str:
    """Return what was written: the result, or for Keras, which returns nothing, its argument.

    Empty where nothing was written: in a function that TensorFlow only traces.
    """
    if result is None:
        to = arguments[1] if len(arguments) > 1 else ""
        return os.fspath(to) if isinstance(to, str | os.PathLike) else ""  # or into memory
    if hasattr(result, "numpy"):
        result = result.numpy()
    if isinstance(result, bytes):
        return result.decode()
    return result if isinstance(result, str) else ""


def _size(name: str) -> int:
    try:
        return os.stat(name).st_size
    except OSError:
        return 0
