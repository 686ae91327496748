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
    """Makes a step file; its `rows` are one flat run of doubles, of which the first
    ``committed[0]`` rows are there for readers.

    Args:
        path: Where; the file must not exist.
        columns: Doubles a row.
        capacity: The largest number of rows.

    Raises:
        LabkitError: If there is no room for the file.
    """

    def __init__(self, path: str, columns: int, capacity: int) -> None:
        size = HEADER_BYTES + 8 * columns * max(capacity, 1)
        try:
            _make(path + ".part", size, array("q", [MAGIC, 0, columns, capacity]))
            # Renamed when whole: a reader that finds the file can trust its header. And not while
            # it is mapped: Windows would refuse.
            os.rename(path + ".part", path)
            with open(path, "r+b") as file:
                self._map = mmap.mmap(file.fileno(), size)
        except FileExistsError:
            raise  # no lack of room
        except OSError as error:
            raise LabkitError(
                f"There is no room for {capacity:,} steps ({size / 1e6:.0f} MB: {error.strerror}); "
                "free some disk space or ask for fewer steps."
            ) from error
        whole = memoryview(self._map)
        self.committed = whole[:HEADER_BYTES].cast("q")[_COUNT : _COUNT + 1]
        self.rows = whole[HEADER_BYTES:].cast("d")


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
            whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._header = np.frombuffer(whole, np.int64, HEADER_BYTES // 8)
        magic, _, columns, capacity = (int(value) for value in self._header[:4])
        if magic != MAGIC:
            raise LabkitError(f"{path} is no step file of this version of labkit.")
        self._rows: NDArray[np.float64] = np.frombuffer(
            whole, np.float64, columns * capacity, HEADER_BYTES
        ).reshape(capacity, columns)

    def detach(self) -> None:
        """Keep a copy of the committed rows and let the file go; the worker has ended.

        A map holds a descriptor for as long as it lives, and a kernel may see many runs.
        """
        self._rows = self._rows[: self.count].copy()
        self._header = self._header.copy()

    @property
    def count(self) -> int:
        """How many rows are committed."""
        return int(self._header[_COUNT])

    def column(self, place: int, start: int, end: int) -> NDArray[np.float64]:
        """Return a copy of one column's rows ``start`` to ``end - 1``, as far as committed."""
        return self._rows[max(start, 0) : min(end, self.count), place].copy()


def _make(path: str, size: int, header: array[int]) -> None:
    with open(path, "xb") as file:
        if hasattr(os, "posix_fallocate"):
            # A sparse file on a full disk would end the worker with SIGBUS at some later step.
            os.posix_fallocate(file.fileno(), 0, size)
        else:
            os.ftruncate(file.fileno(), size)
        file.write(header.tobytes())
