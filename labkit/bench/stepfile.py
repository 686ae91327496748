"""The step file: rows of doubles in a memory-mapped file, written by a worker, read by anyone.

Nothing is flushed or sent: a reader looks whenever it likes, a slow reader cannot hold up the
worker, and a killed worker loses nothing, because the pages belong to the file.

Layout: 64 bytes of header (magic, number of committed rows, columns, room for rows, all 64 bit),
then the rows.
"""

from __future__ import annotations

import mmap
import os
from array import array

import numpy as np
from numpy.typing import NDArray

from labkit.record import LabkitError

MAGIC = int.from_bytes(b"labstep1", "little")
HEADER_BYTES = 64
_COUNT = 1


class StepFileWriter:
    """Makes a step file and appends rows to it.

    Args:
        path: Where; the file must not exist.
        columns: Doubles a row.
        capacity: The largest number of rows.

    Raises:
        LabkitError: If there is no room for the file.
    """

    def __init__(self, path: str, columns: int, capacity: int) -> None:
        self.capacity = capacity
        self._columns = columns
        size = HEADER_BYTES + 8 * columns * max(capacity, 1)
        handle = os.open(path + ".part", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            _reserve(handle, size)
            self._map = mmap.mmap(handle, size)
        except OSError as error:
            raise LabkitError(
                f"There is no room for {capacity} steps ({size / 1e6:.0f} MB: {error.strerror}); "
                "free some disk space or ask for fewer steps."
            ) from error
        finally:
            os.close(handle)
        whole = memoryview(self._map)
        self._header = whole[:HEADER_BYTES].cast("q")
        self._rows = whole[HEADER_BYTES:].cast("d")
        header = array("q", [MAGIC, 0, columns, capacity])
        self._header[: len(header)] = memoryview(header)
        self._count = 0
        # Renamed when whole: a reader that finds the file can trust its header.
        os.rename(path + ".part", path)

    def open_row(self) -> memoryview:
        """Return the next row to fill.

        Raises:
            LabkitError: If the file is full.
        """
        if self._count >= self.capacity:
            raise LabkitError(f"The step file is full after {self.capacity} steps.")
        start = self._count * self._columns
        return self._rows[start : start + self._columns]

    def commit(self) -> None:
        """Make the open row visible to readers."""
        self._count += 1
        self._header[_COUNT] = self._count


class StepFileReader:
    """Reads a step file while it grows.

    Args:
        path: The file.

    Raises:
        FileNotFoundError: If the worker has not made it yet.
        LabkitError: If it is no step file.
    """

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:
            # The map outlives the file's name: a run's folder may be removed while it is shown.
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._header = np.frombuffer(self._map, np.int64, HEADER_BYTES // 8)
        magic, _, columns, capacity = (int(value) for value in self._header[:4])
        if magic != MAGIC:
            raise LabkitError(f"{path} is no step file of this version of labkit.")
        self._rows: NDArray[np.float64] = np.frombuffer(
            self._map, np.float64, columns * capacity, HEADER_BYTES
        ).reshape(capacity, columns)

    @property
    def count(self) -> int:
        """How many rows are committed."""
        return int(self._header[_COUNT])

    def column(self, place: int, start: int, end: int) -> NDArray[np.float64]:
        """Return a copy of one column's rows ``start`` to ``end - 1``, as far as committed."""
        return self._rows[max(start, 0) : min(end, self.count), place].copy()


def _reserve(handle: int, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        # A sparse file on a full disk would end the worker with SIGBUS at some later step.
        os.posix_fallocate(handle, 0, size)
    else:
        os.ftruncate(handle, size)
