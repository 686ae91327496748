"""Standard output and standard error, as one can print to them whatever has become of them."""

from __future__ import annotations

import errno
import io
import os
from codecs import getincrementalencoder
from typing import TextIO

from labkit.record.saving.whole_file import pour


class Stream(io.TextIOBase):
    """A standard stream that raises nothing: it drops what cannot be written, and keeps the reason.

    Args:
        stream: Where it goes; None for one that was closed before Python began.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._encode = getincrementalencoder(self.encoding)("backslashreplace").encode
        self.lost: OSError | None = None

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return getattr(self._stream, "encoding", None) or "utf-8"

    def fileno(self) -> int:
        return super().fileno() if self._stream is None else self._stream.fileno()

    def isatty(self) -> bool:
        return self._stream is not None and self._stream.isatty()

    def writable(self) -> bool:
        return True

    def write(self, text: str | bytes) -> int:
        # From click, which takes a stream in ASCII for a mistake and writes UTF-8 past it.
        if isinstance(text, bytes):
            text = text.decode("utf-8", "backslashreplace")
        if self.lost is None:
            try:
                self._write(text)
            except OSError as error:
                self.lost = error
        return len(text)

    def _write(self, text: str) -> None:
        if self._stream is None or self._stream.closed:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        # A path or an error's text may hold what no encoding has: half of a surrogate pair.
        if (descriptor := _descriptor(self._stream)) is not None:
            # Whoever shares it may have said that it does not block: what a full pipe does not take
            # at once, the stream itself would lose.
            pour(descriptor, self._encode(text))
        else:
            self._stream.write(text.encode(self.encoding, "backslashreplace").decode(self.encoding))
            self._stream.flush()


def _descriptor(stream: TextIO) -> int | None:
    """Return what the bytes of a stream go to as they are; None where it does more with them."""
    if os.name != "posix" or not isinstance(stream, io.TextIOWrapper):
        return None  # a console of Windows, a notebook's output
    try:
        return stream.fileno()
    except io.UnsupportedOperation:
        return None


def fill_closed_descriptors() -> None:
    """See that 0, 1 and 2 are taken: else a file of ours gets such a number, and is written into.

    Whoever closes them (``2>&-``) means that nothing is to be read or said there.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
