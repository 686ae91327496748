"""A file that may be compressed, unpacked piece by piece and no further than a limit."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

GZIP = b"\x1f\x8b"


@contextmanager
def unpacked(path: str | os.PathLike[str]) -> Iterator[io.BufferedReader]:
    """Open a file to read what is in it, unpacked as it is read.

    Raises:
        OSError: If it cannot be opened; while it is read, also EOFError and zlib.error.
    """
    with open(path, "rb") as file:
        # Looked at, not read: it may be a pipe.
        if file.peek(len(GZIP))[: len(GZIP)] != GZIP:
            yield file
            return
        with gzip.GzipFile(fileobj=file) as packed:
            yield io.BufferedReader(cast("io.RawIOBase", packed))


def lines(file: io.BufferedReader, most_bytes: int) -> Iterator[bytes]:
    """Yield the lines of a file; of one that is longer than `most_bytes` the beginning only."""
    # Without a limit, a file of 3 MB that unpacks to one line of 3 GB would take 3 GB.
    while line := file.readline(most_bytes):
        yield line
