"""Reads a step file while it grows."""

from __future__ import annotations

import os
import sys
import threading

import numpy as np
from numpy.typing import NDArray

from labkit.bench.private_pages import on_own_pages
from labkit.bench.step_file.layout import (
    COLUMNS_PLACE,
    COUNT_PLACE,
    MAGIC,
    MAGIC_PLACE,
    NOT_FULL,
    PAGE_BYTES,
    ROWS_HERE_PLACE,
)
from labkit.record import LabkitError


class StepFileReader:
    """Reads a step file while it grows.

    Args:
        path: The file.
        elsewhere: Where its rows go on.

    Raises:
        FileNotFoundError: If the worker has not made it yet.
        LabkitError: If it is not a step file.
    """

    def __init__(self, path: str, elsewhere: str) -> None:
        self._elsewhere = elsewhere
        # A panel may be reading while the keeper lets the file go, and a moment later its
        # descriptor belongs to another file.
        self._lock = threading.RLock()
        # Read and not mapped: what grows would have to be mapped anew, and each map holds a
        # descriptor, of which a kernel has few.
        self._file: int | None = None
        self._second: int | None = None
        self._kept: NDArray[np.float64] | None = None
        self._file = _open(path)
        if self._header(MAGIC_PLACE) != MAGIC:
            self._let_go()
            raise LabkitError(f"{path} is not a step file of this version of labkit.")
        self._columns = self._header(COLUMNS_PLACE)

    def __del__(self) -> None:
        self._let_go()

    def detach(self) -> None:
        """Keep a copy of the committed rows and let the file go; the worker has ended."""
        with self._lock:
            if self._kept is None:
                self._kept = on_own_pages(self._rows, self.count, self._columns)
                self._let_go()

    @property
    def count(self) -> int:
        """How many rows are committed."""
        with self._lock:
            return len(self._kept) if self._kept is not None else self._header(COUNT_PLACE)

    @property
    def kept_bytes(self) -> int:
        """What the rows take in memory: nothing as long as they are in the file."""
        with self._lock:
            return self._kept.nbytes if self._kept is not None else 0

    def column(self, place: int, start: int, end: int) -> NDArray[np.float64]:
        """Return a copy of one column's rows ``start`` to ``end - 1``, as far as committed."""
        with self._lock:
            start, end = max(start, 0), min(end, self.count)
            return self._rows(start, max(start, end))[:, place].copy()

    def _rows(self, start: int, end: int) -> NDArray[np.float64]:
        if self._kept is not None:
            return self._kept[start:end]
        here = self._header(ROWS_HERE_PLACE)
        cut = end if here == NOT_FULL else min(max(here, start), end)
        parts = [self._read(self._file, PAGE_BYTES, start, cut)]
        if cut < end:
            if self._second is None:
                self._second = _open(self._elsewhere)
            parts.append(self._read(self._second, 0, cut - here, end - here))
        return np.concatenate(parts)

    def _read(self, file: int | None, from_bytes: int, start: int, end: int) -> NDArray[np.float64]:
        width = 8 * self._columns
        data = _read_at(file, width * (end - start), from_bytes + width * start)
        return np.frombuffer(data, np.float64).reshape(-1, self._columns)

    def _header(self, place: int) -> int:
        return int.from_bytes(_read_at(self._file, 8, 8 * place), sys.byteorder, signed=True)

    def _let_go(self) -> None:
        for file in (self._file, self._second):
            if file is not None:
                os.close(file)
        self._file = self._second = None


def _open(path: str) -> int:
    return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))


def _read_at(file: int | None, size: int, at_bytes: int) -> bytes:
    """Return bytes of a file; fewer than asked for at its end."""
    assert file is not None
    pieces: list[bytes] = []
    while size > 0 and (piece := _one_piece(file, size, at_bytes)):
        pieces.append(piece)
        size -= len(piece)
        at_bytes += len(piece)
    return b"".join(pieces)


def _one_piece(file: int, size: int, at_bytes: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(file, size, at_bytes)
    os.lseek(file, at_bytes, os.SEEK_SET)  # Windows
    return os.read(file, size)
