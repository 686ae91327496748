"""The step file: rows of doubles in a memory-mapped file, written by a worker, read by anyone.

Nothing is flushed or sent: a reader looks whenever it likes, a slow reader cannot hold up the
worker, and a killed worker loses nothing, because the pages belong to the file.

Layout: a page of header (magic, number of committed rows, columns, rows in this file once it is
full, else -1; all 64 bit), then the rows. The file grows piece by piece as rows come. Where its
place has no more room, which is soon in a container's 64 MB of shared memory, the rows go on in a
second file elsewhere, which has no header.
"""

from __future__ import annotations

import errno
import mmap
import os
import sys
import threading
from array import array
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from labkit.bench.private_pages import call_in_child, make_private, on_own_pages
from labkit.record import LabkitError

MAGIC = int.from_bytes(b"labstep2", "little")
# What a map of a file may begin at: a multiple of this.
PAGE_BYTES = mmap.ALLOCATIONGRANULARITY
# With as many rows, pieces of rows of any width begin at such a multiple.
PAGE_ROWS = PAGE_BYTES // 8
# Pieces double up to this size: reserved in a moment, and rarely asked for.
LARGEST_PIECE_BYTES = 8_000_000
_MAGIC, _COUNT, _COLUMNS, _ROWS_HERE = range(4)
NOT_FULL = -1


class StepFileWriter:
    """Makes a step file, and makes it longer when its rows are used up.

    `rows` is the piece that is being written, one flat run of doubles; ``committed[0]`` is the
    number of rows, over all pieces, that are there for readers.

    Args:
        path: Where; the file must not exist.
        columns: Doubles a row.
        elsewhere: Where the rows go on when there is no more room there.

    Raises:
        LabkitError: If there is no room for the first piece.
    """

    def __init__(self, path: str, columns: int, elsewhere: str) -> None:
        self._path, self._elsewhere = path, elsewhere
        self._columns = columns
        self._file = path
        self._end_bytes = PAGE_BYTES  # of the file that is being written
        self._rows_before = 0  # in all pieces before this one
        self._piece_rows = PAGE_ROWS
        part = path + ".part"
        header = array("q", [MAGIC, 0, columns, NOT_FULL])
        try:
            with open(part, "xb") as file:
                file.write(header.tobytes())
                _reserve(file.fileno(), 0, PAGE_BYTES)
            # Renamed when whole: a reader that finds the file can trust its header. And not while
            # it is mapped: Windows would refuse.
            os.rename(part, path)
            self._header = _map(path, 0, PAGE_BYTES).cast("q")
        except FileExistsError:
            raise  # no lack of room
        except OSError as error:
            raise self._no_room(error) from error
        self.committed = self._header[_COUNT : _COUNT + 1]
        self.rows = self._piece()
        call_in_child(self.keep_apart)

    def more_rows(self) -> memoryview[float]:
        """Return the next piece, which is then `rows`; the one before it is full.

        Raises:
            LabkitError: If there is no room for it; what is committed stays readable.
        """
        self._rows_before += len(self.rows) // self._columns
        self._piece_rows = min(
            2 * self._piece_rows,
            max(PAGE_ROWS, LARGEST_PIECE_BYTES // (8 * self._columns) // PAGE_ROWS * PAGE_ROWS),
        )
        self.rows = self._piece()
        return self.rows

    def _piece(self) -> memoryview[float]:
        try:
            return self._piece_at_end()
        except OSError as error:
            if self._file == self._elsewhere:
                raise self._no_room(error) from error
        self._file, self._end_bytes = self._elsewhere, 0
        self._header[_ROWS_HERE] = self._rows_before
        try:
            return self._piece_at_end()
        except OSError as error:
            raise self._no_room(error) from error

    def _piece_at_end(self) -> memoryview[float]:
        size = 8 * self._columns * self._piece_rows
        with open(self._file, "ab") as file:
            _reserve(file.fileno(), self._end_bytes, size)
        piece = _map(self._file, self._end_bytes, size)
        self._end_bytes += size
        return piece.cast("d")

    def keep_apart(self) -> None:
        """Let what this process writes from now on reach nobody: it is a forked copy of the worker.

        A loop may fork, and its child goes on in the step that the worker is in. It would write
        that row as well, and a count that the worker has long passed.
        """
        make_private(self._header, self.rows)

    def _no_room(self, error: OSError) -> LabkitError:
        size = 8 * self._columns * self._piece_rows
        folders = " or ".join(str(Path(path).parent) for path in (self._path, self._elsewhere))
        limited = error.errno == errno.EFBIG
        advice = "raise the limit on files (ulimit -f)" if limited else "free some disk space"
        return LabkitError(
            f"There is no room for {self._piece_rows:,} more steps ({size / 1e6:.1f} MB) in "
            f"{folders} ({error.strerror}); {advice} or ask for fewer steps."
        )


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
        if self._header(_MAGIC) != MAGIC:
            self._let_go()
            raise LabkitError(f"{path} is not a step file of this version of labkit.")
        self._columns = self._header(_COLUMNS)

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
            return len(self._kept) if self._kept is not None else self._header(_COUNT)

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
        here = self._header(_ROWS_HERE)
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


def _reserve(file: int, at_bytes: int, size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        # A sparse file on a full disk would end the worker with SIGBUS at some later step.
        os.posix_fallocate(file, at_bytes, size)
    else:
        os.ftruncate(file, at_bytes + size)


def _map(path: str, at_bytes: int, size: int) -> memoryview:
    with open(path, "r+b") as file:
        # The map keeps a copy of the descriptor, with its place in the file. A loop that writes to
        # whatever is open would write over our header.
        file.seek(0, os.SEEK_END)
        return memoryview(mmap.mmap(file.fileno(), size, offset=at_bytes))


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
