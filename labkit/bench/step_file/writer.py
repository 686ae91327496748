"""Writes a step file, and makes it longer as rows come."""

from __future__ import annotations

import errno
import mmap
import os
from array import array
from pathlib import Path

from labkit.bench.private_pages import call_in_child, make_private
from labkit.bench.step_file.layout import (
    COUNT_PLACE,
    LARGEST_PIECE_BYTES,
    MAGIC,
    NOT_FULL,
    PAGE_BYTES,
    PAGE_ROWS,
    ROWS_HERE_PLACE,
)
from labkit.record import LabkitError


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
        self.committed = self._header[COUNT_PLACE : COUNT_PLACE + 1]
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
        self._header[ROWS_HERE_PLACE] = self._rows_before
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
