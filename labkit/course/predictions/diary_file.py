"""The file of a diary: JSON, a line for each thing that was done.

Lines are only ever added, so a kernel that dies loses nothing. What cannot be read is passed over:
a diary is no reason to stop a lesson. Anybody can write into the file, so a line counts only if it
is one that could have been written here.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from labkit.course.predictions.prediction import SURENESS
from labkit.record.saving.shared_folder import open_to_append

LONGEST_LINE_BYTES = 20_000  # a prediction takes some hundred
MOST_BYTES = 32_000_000
# What names a prediction is that, or its score. So many lines that are neither are no diary's.
MOST_TRIED = 1_000


class DiaryFile:
    """Reads and adds lines.

    Args:
        path: Where the file is, or will be. What cannot be written there is kept for as long as
            this object lives, and is written before whatever comes next.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._unwritten: list[bytes] = []

    @property
    def kept(self) -> bool:
        """Whether all that was added is in the file."""
        return not self._unwritten

    def entries(self) -> Iterator[dict[str, Any]]:
        """Yield what each line that counts holds, the oldest first."""
        try:
            # Who opens a pipe waits for somebody to write into it.
            written = self._last_bytes() if self.path.is_file() else b""
        except OSError:
            written = b""
        for line in [*written.split(b"\n"), *self._unwritten]:
            entry = _entry(line)
            if entry is not None:
                yield entry

    def newest(self, prediction: str, most_bytes: int = MOST_BYTES) -> Iterator[dict[str, Any]]:
        """Yield what the lines about a prediction hold, the newest first.

        No other line is looked at: where somebody has put millions, each takes microseconds.

        Args:
            prediction: Its name.
            most_bytes: How much of the file's end is read.
        """
        try:
            written = self._last_bytes(most_bytes) if self.path.is_file() else b""
        except OSError:
            written = b""
        written += b"".join(b"\n" + line for line in self._unwritten)
        named = json.dumps(prediction).encode()
        end = len(written)
        for _ in range(MOST_TRIED):
            place = written.rfind(named, 0, end)
            if place < 0:
                return
            begin = written.rfind(b"\n", 0, place) + 1
            last = written.find(b"\n", place)
            entry = _entry(written[begin : last if last >= 0 else None])
            if entry is not None and entry.get("prediction") == prediction:
                yield entry
            end = begin

    def _last_bytes(self, most_bytes: int = MOST_BYTES) -> bytes:
        """Return the file, or its end: in a shared folder it may be anybody's, of any size."""
        with open(self.path, "rb") as file:
            # By the size that the system tells: of what the kernel makes up (/proc/kmsg) that is
            # none, and who reads it waits for ever.
            size = min(most_bytes, os.fstat(file.fileno()).st_size)
            file.seek(-size, os.SEEK_END)
            return file.read(size)

    def add(self, entry: Mapping[str, object]) -> None:
        """Add a line."""
        # What waits goes first: the order of the lines says which answer is the latest.
        self._unwritten.append(json.dumps(entry).encode())
        with suppress(OSError):
            while self._unwritten:
                self._write(self._unwritten[0])
                del self._unwritten[0]

    def _write(self, line: bytes) -> None:
        with os.fdopen(open_to_append(self.path), "ab") as file:
            # In front as well: a disk that was full may have left half a line.
            file.write(b"\n" + line + b"\n")


def _entry(line: bytes) -> dict[str, Any] | None:
    """Return what a line holds; None of one that does not count."""
    if len(line) > LONGEST_LINE_BYTES:
        return None
    try:
        entry = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None  # half a line, of a disk that was full; or something else altogether
    return entry if _is_entry(entry) else None


def _is_entry(entry: object) -> bool:
    if not isinstance(entry, dict):
        return False
    if "done" in entry:
        known = entry["done"] in ("exercise", "question") and _is_text(entry.get("name"))
        return known and isinstance(entry.get("right"), bool)
    if not _is_text(entry.get("prediction")):
        return False
    if "answer" in entry:
        answer, sure = entry["answer"], entry.get("sure")
        fits = _is_text(answer) or _is_number(answer)
        return (
            fits and type(sure) is int and sure in SURENESS and _is_number(entry.get("at_seconds"))
        )
    return _is_text(entry.get("truth")) and isinstance(entry.get("right"), bool)


def _is_text(value: object) -> bool:
    # JSON has an escape for half a character, which no file and no page can hold.
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all that a float holds
        return False
