"""The log: the file a worker's descriptors 1 and 2 go to, kept small while it is written."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

# What TensorFlow says of itself when it is imported and makes its first device: of a processor's
# instructions, and of a build for CUDA that finds no card (tensorflow/core/platform,
# xla/stream_executor/cuda, tensorflow/compiler/tf2tensorrt). It is true, and no learner asked.
NOTICES = re.compile(
    r"^.*(All log messages before absl::InitializeLog\(\) is called"
    r"|oneDNN custom operations are on|This TensorFlow binary is optimized to use available CPU"
    r"|To enable the following instructions:|Could not find cuda drivers on your machine"
    r"|Unable to register cu(DNN|FFT|BLAS) factory|TF-TRT Warning: Could not find TensorRT"
    r"|Cannot dlopen some GPU libraries|Skipping registering GPU devices"
    r"|failed call to cuInit).*\n?",
    re.MULTILINE,
)
LARGEST_BYTES = 1_000_000
HEAD_BYTES = 16_000
TAIL_BYTES = 16_000
CUT = b"\n[... cut: more was printed than is kept ...]\n"


def trim_log(path: Path, reader: LogReader | None = None) -> None:
    """Cut the file back to its head when it has grown too large.

    The worker appends, so it goes on writing behind the cut; a flood of prints can neither fill
    the disk nor block the loop.

    Args:
        path: Of the log.
        reader: Who reads on in it, and first takes what is cut away.
    """

    def cut() -> None:
        with path.open("r+b") as file:
            file.truncate(HEAD_BYTES)
            file.seek(0, 2)
            file.write(CUT)

    try:
        if path.stat().st_size > LARGEST_BYTES:
            cut() if reader is None else reader.take_and(cut)
    except OSError:
        return


def read_log(path: Path, device: str = "gpu") -> str:
    """Return what was printed: all of it, or head and tail with a note between them.

    Args:
        path: Of the log.
        device: Where the loop ran. On a graphics card what TensorFlow says of itself may be why it
            does not work; on the processor it is left out.
    """
    try:
        raw = path.read_bytes()
    except OSError:  # it is not there, or no descriptor is left
        return ""
    if len(raw) > HEAD_BYTES + TAIL_BYTES:
        cut = f"\n[... cut: {len(raw) - HEAD_BYTES - TAIL_BYTES:,} bytes ...]\n".encode()
        raw = raw[:HEAD_BYTES] + cut + raw[-TAIL_BYTES:]
    log = raw.decode(errors="replace")
    return log if device == "gpu" else without_notices(log)


class LogReader:
    """Reads on in a log while it is written, from any thread.

    The log is held open, and so can be read to its end when the run has ended and removed it. On
    Windows, where a file that is open cannot be removed, nothing is read.

    Args:
        path: The log; it need not be there yet.
        device: Where the loop runs, as for `read_log`.
    """

    def __init__(self, path: Path, device: str = "gpu") -> None:
        self._path, self._device = path, device
        self._file: BinaryIO | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._lock = threading.Lock()
        self._unread = ""
        self._is_cut = False

    @property
    def opened(self) -> bool:
        """Whether anything could be read."""
        return self._file is not None

    def more(self) -> str:
        """Return what was printed since the last time; of a flood the beginning, and a note."""
        with self._lock:
            self._take()
            text, self._unread = self._unread, ""
        return text if self._device == "gpu" else without_notices(text)

    def take_and(self, cut: Callable[[], None]) -> None:
        """Take in what is there, then let the log be cut back to its head."""
        with self._lock:
            self._take()
            cut()
            if self._file is not None:
                self._file.seek(HEAD_BYTES)
                self._is_cut = True

    def close(self) -> None:
        """Let go of the log."""
        if self._file is not None:
            self._file.close()

    def _take(self) -> None:
        if self._file is None and os.name == "posix":
            with contextlib.suppress(OSError):
                self._file = self._path.open("rb")
        if self._file is None:
            return
        data = self._file.read()
        if self._is_cut:
            data, self._is_cut = data.replace(CUT, b"", 1), False
        # A flood comes faster than anybody prints it.
        if len(self._unread) <= LARGEST_BYTES:
            self._unread += self._decoder.decode(data)
            if len(self._unread) > LARGEST_BYTES:
                self._unread = self._unread[:LARGEST_BYTES] + CUT.decode()


def without_notices(log: str) -> str:
    """Return a log of a run on the processor without what TensorFlow says of itself in any run."""
    return NOTICES.sub("", log)
