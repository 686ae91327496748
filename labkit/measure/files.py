"""Checkpoint and summary files: what is written, what lies in the folder, and the time it takes.

The choke points are private names of TensorFlow 2.19-2.21 and of Keras 3, declared in the constants
below and nowhere else; one that is missing leaves its place unmeasured. Writing, rewriting the text
file ``checkpoint`` that lists all checkpoints, and looking through the folder are booked apart.
"""

from __future__ import annotations

import os
import threading
import time
from typing import Any

from labkit.measure.choke import ChokePoints, PrivateName
from labkit.measure.events import Events
from labkit.measure.hooks import Hooks
from labkit.measure.late import LatePoints
from labkit.measure.places import Places
from labkit.measure.tally import Tallied
from labkit.record import Column

CHECKPOINT = "tensorflow.python.checkpoint.checkpoint"
MANAGEMENT = "tensorflow.python.checkpoint.checkpoint_management"
SAVER = "tensorflow.python.training.saver"
KERAS = "keras.src.saving.saving_lib"
SUMMARY = "tensorflow.python.ops.gen_summary_ops"
WRITE = ("checkpoint_write", "checkpoint write")
INDEX = ("checkpoint_index", "checkpoint index")
LISTING = ("checkpoint_listing", "checkpoint folder listing")
EVENTS = ("summary_write", "summary write")

# All that a save does; the more exact places below are taken out of it.
AROUND = (
    PrivateName(MANAGEMENT, "CheckpointManager", "save", *WRITE),
    PrivateName(CHECKPOINT, "Checkpoint", "save", *WRITE),
    PrivateName(CHECKPOINT, "Checkpoint", "write", *WRITE),
)
# These return, or were given, the name of what has really been written. In the background they run
# on a thread of TensorFlow's: then they are counted, and no second of the step's is booked.
WRITES = (
    PrivateName(CHECKPOINT, "TrackableSaver", "save", *WRITE),
    PrivateName(SAVER, "Saver", "save", *WRITE),
)
# Keras is hooked in once the loop has imported it.
KERAS_WRITES = (
    PrivateName(KERAS, "", "save_weights_only", *WRITE),
    PrivateName(KERAS, "", "save_model", *WRITE),
)
KERAS_OTHERS = (
    PrivateName("keras.src.legacy.saving.legacy_h5_format", "", "save_model_to_hdf5", *WRITE),
    PrivateName("keras.src.legacy.saving.legacy_h5_format", "", "save_weights_to_hdf5_group",
                *WRITE),
    PrivateName("keras.src.callbacks.model_checkpoint", "ModelCheckpoint", "_save_model", *WRITE),
)  # fmt: skip
# What is read back, e.g. by a loop that restores its best weights at every turn.
READS = (
    PrivateName(CHECKPOINT, "TrackableSaver", "restore", "checkpoint_read", "checkpoint read"),
    PrivateName(SAVER, "Saver", "restore", "checkpoint_read", "checkpoint read"),
)
# The v1 writer hands events to a thread of its own, and waits where that one falls behind.
EVENT_FILES = tuple(
    PrivateName("tensorflow.python.summary.writer.event_file_writer", "EventFileWriter", name,
                *EVENTS)
    for name in ("__init__", "add_event", "flush", "close")
)  # fmt: skip
INDEXES = (PrivateName(MANAGEMENT, "", "update_checkpoint_state_internal", *INDEX),)
# Both look through every name in the folder: for files to delete, and for files to weigh.
LISTINGS = (
    PrivateName(MANAGEMENT, "", "_delete_file_if_exists", *LISTING),
    PrivateName(CHECKPOINT, "", "_get_checkpoint_size", *LISTING),
    PrivateName(SAVER, "", "_get_checkpoint_size", *LISTING),
)
SUMMARIES = (
    PrivateName(SUMMARY, "", "write_summary", *EVENTS),
    PrivateName(SUMMARY, "", "write_scalar_summary", *EVENTS),
    PrivateName(SUMMARY, "", "write_raw_proto_summary", *EVENTS),
    PrivateName(SUMMARY, "", "write_histogram_summary", *EVENTS),
    PrivateName(SUMMARY, "", "write_image_summary", *EVENTS),
    PrivateName(SUMMARY, "", "write_audio_summary", *EVENTS),
    PrivateName(SUMMARY, "", "write_graph_summary", *EVENTS),
    PrivateName(SUMMARY, "", "flush_summary_writer", *EVENTS),
    PrivateName(SUMMARY, "", "close_summary_writer", *EVENTS),
)

# Up to here a listing takes less than a millisecond, outside the step's clock; a fuller folder is
# looked at once a second at most.
FEW_FILES = 2_000
SECONDS_BETWEEN_LISTINGS = 1.0


class FilesProbe(Tallied):
    """Counts saves and their bytes; books the time on five places.

    Args:
        places: The stopwatch.
        events: Takes each save, with its bytes and seconds.
    """

    columns = (
        Column("checkpoint_saves", "checkpoints written", "checkpoints", "counter"),
        Column("checkpoint_bytes", "bytes written to checkpoints", "bytes", "counter"),
        Column("index_bytes", "size of the index file", "bytes", "counter"),
        Column("folder_files", "files in the checkpoint folder", "files", "counter"),
    )

    def __init__(self, places: Places, events: Events) -> None:
        super().__init__(places.board)
        self._events = events
        self._own = threading.local()
        self._lock = threading.Lock()
        self._saves, self._bytes = self.at("checkpoint_saves"), self.at("checkpoint_bytes")
        self._index_bytes, self._files = self.at("index_bytes"), self.at("folder_files")
        self._folder = ""
        self._changed = False
        self._listed = 0.0
        self._points = ChokePoints(places)
        self._points.hook(AROUND)
        self._points.hook(WRITES, before=self._begin, after=self._written)
        self._points.hook(INDEXES, after=self._indexed)
        self._points.hook(LISTINGS)
        self._points.hook((*SUMMARIES, *EVENT_FILES, *READS))
        self._late = LatePoints(places)
        self._late.hook(KERAS_WRITES, before=self._begin, after=self._written)
        self._late.hook(KERAS_OTHERS)

    @property
    def missing(self) -> list[str]:
        """The private names this TensorFlow or Keras does not have."""
        return self._points.missing + self._late.missing

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
        self._events.add(
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
        if self._list not in self.board.gathering:
            self.board.gathering.append(self._list)

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

    def close(self) -> None:
        self._late.close()
        self._points.close()


def _file_name(arguments: tuple[Any, ...], result: Any) -> str:
    """Return what was written: the result, or for Keras, which returns nothing, its argument.

    Empty where nothing was written: in a function that TensorFlow only traces.
    """
    if result is None:
        return os.fspath(arguments[1]) if len(arguments) > 1 else ""
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


def probe(hooks: Hooks) -> FilesProbe:
    """Return the probe; the bench calls it for a cause that asks for ``"files"``."""
    return FilesProbe(hooks.places, hooks.events)
