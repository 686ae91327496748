"""Standard output and standard error, as one can print to them whatever has become of them."""

from __future__ import annotations

import errno
import io
import os
from typing import TextIO


class Stream(io.TextIOBase):
    """A standard stream that raises nothing: it drops what cannot be written, and keeps the reason.

    Args:
        stream: Where it goes; None for one that was closed before Python began.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
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

    def write(self, text: str) -> int:
        # A path or an error's text may hold what no encoding has: half of a surrogate pair.
        shown = text.encode(self.encoding, "backslashreplace").decode(self.encoding)
        if self.lost is None:
            try:
                if self._stream is None or self._stream.closed:
                    raise OSError(errno.EBADF, os.strerror(errno.EBADF))
                self._stream.write(shown)
                self._stream.flush()
            except OSError as error:
                self.lost = error
        return len(text)


def fill_closed_descriptors() -> None:
    """See that 0, 1 and 2 are taken: else a file of ours gets such a number, and is written into.

    Whoever closes them (``2>&-``) means that nothing is to be read or said there.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
