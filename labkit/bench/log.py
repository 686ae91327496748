"""The log: the file a worker's descriptors 1 and 2 go to, kept small while it is written."""

from __future__ import annotations

import codecs
import os
import re
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


def trim_log(path: Path) -> None:
    """Cut the file back to its head when it has grown too large.

    The worker appends, so it goes on writing behind the cut; a flood of prints can neither fill
    the disk nor block the loop.
    """
    try:
        if path.stat().st_size > LARGEST_BYTES:
            with path.open("r+b") as file:
                file.truncate(HEAD_BYTES)
                file.seek(0, 2)
                file.write(CUT)
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
    """Reads on in a log while it is written.

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

    @property
    def opened(self) -> bool:
        """Whether anything could be read."""
        return self._file is not None

    def more(self) -> str:
        """Return what was printed since the last time."""
        if self._file is None and os.name == "posix":
            try:
                self._file = self._path.open("rb")
            except OSError:
                return ""
        if self._file is None:
            return ""
        if os.fstat(self._file.fileno()).st_size < self._file.tell():
            self._file.seek(HEAD_BYTES + len(CUT))  # it was trimmed, and its head was read
        text = self._decoder.decode(self._file.read())
        return text if self._device == "gpu" else without_notices(text)

    def close(self) -> None:
        """Let go of the log."""
        if self._file is not None:
            self._file.close()


def without_notices(log: str) -> str:
    """Return a log of a run on the processor without what TensorFlow says of itself in any run."""
    return NOTICES.sub("", log)
