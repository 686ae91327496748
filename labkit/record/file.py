"""The file of a saved run: readable JSON lines, compressed where the name ends in ``.gz``.

Line 1 says what the file is and its version; then one line of facts, one line an event, one line a
step (numbers in the order of the declared columns), the same for further workers, and a last line
that says how many steps there must be, so that a torn file is noticed. `labkit.record.format` has
what each line must be. Saved runs lie in a file each, or in a folder of files.
"""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import cast

from labkit.record.errors import LabkitError, RunFileError
from labkit.record.format.limits import MOST_BYTES, MOST_LINE_BYTES
from labkit.record.format.reader import run_from_lines
from labkit.record.format.writer import run_to_lines
from labkit.record.pipe import open_to_read
from labkit.record.plain_text import one_line
from labkit.record.run import Run
from labkit.record.saving.whole_file import write_whole

COMPRESS_FROM_STEPS = 20_000
ENDINGS = ("*.jsonl", "*.jsonl.gz")
GZIP = b"\x1f\x8b"


def run_file_name(stem: str, run: Run) -> str:
    """Return a name for a run's file where nobody has asked for one: of a large one ``.gz``."""
    return f"{stem}.jsonl.gz" if len(run.steps) >= COMPRESS_FROM_STEPS else f"{stem}.jsonl"


def save_run(run: Run, path: str | os.PathLike[str], *, replace: bool = True) -> Path:
    """Write a run to a file, whole or not at all; `load_run` reads it again.

    Args:
        run: What to save.
        path: Where, and under no other name: another file may have that name.
        replace: Whether a file of that name is replaced; else the next free name is taken.

    Returns:
        The file that was written.

    Raises:
        LabkitError: If the file cannot be written there, or the run is not one that labkit records;
            the run itself is untouched.
    """
    target = Path(path)
    text = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=text, mode="wb")
        if target.suffix == ".gz"
        else nullcontext(text) as to
    ):
        # Line by line: the text of a million steps is 250 MB, and packed it is 50.
        for line in run_to_lines(run):
            to.write(line.encode() + b"\n")
    return write_whole(target, text.getvalue(), "The run", replace=replace)


def load_run(path: str | os.PathLike[str]) -> Run:
    """Read a saved run; every field of it is checked.

    A file is read no further than the largest run needs: a million steps of a hundred columns, so
    2.6 GB once it is unpacked; 20 million bytes in a line; 1,000 letters in a title or a name. Of
    any other text of more than 200,000 letters the middle is left out.

    Raises:
        RunFileError: If the file cannot be read, holds more, or is damaged; the sentence says which
            line and field is wrong, and what belongs there.
    """
    name = one_line(Path(path).name)
    try:
        with unpacked(path) as file:
            return read_run(file, name)
    except RunFileError:
        raise
    except (OSError, EOFError, zlib.error, ValueError) as error:  # ValueError: a zero in the path
        reason = one_line(str(getattr(error, "strerror", None) or error))
        raise RunFileError(
            f"{name} cannot be read ({reason}); give a file that labkit saved."
        ) from error


@contextmanager
def unpacked(path: str | os.PathLike[str]) -> Iterator[io.BufferedReader]:
    """Open a file to read what is in it, unpacked as it is read.

    Raises:
        OSError: If it cannot be opened, or is a named pipe from which nothing comes; while it is
            read, also EOFError and zlib.error.
    """
    with open_to_read(path) as file:
        # Looked at, not read: it may be a pipe.
        if file.peek(len(GZIP))[: len(GZIP)] != GZIP:
            yield file
            return
        with gzip.GzipFile(fileobj=file) as packed:
            yield io.BufferedReader(cast("io.RawIOBase", packed))


def read_run(file: io.BufferedReader, name: str) -> Run:
    """Read a saved run from a file that is open; as `load_run`.

    Args:
        file: What stands in it, unpacked.
        name: The file's name, for errors.

    Raises:
        RunFileError: If it holds more than a run can, or is damaged.
        OSError, EOFError, zlib.error: If it cannot be read or unpacked to its end.
    """
    return run_from_lines(_text(file, name), name)


def _text(file: io.BufferedReader, name: str) -> Iterator[str]:
    read = 0
    # Without a limit, a file of 3 MB that unpacks to one line of 3 GB would take 3 GB.
    lines = iter(lambda: file.readline(MOST_LINE_BYTES + 1), b"")
    for number, line in enumerate(lines, start=1):
        read += len(line)
        if len(line) > MOST_LINE_BYTES:
            raise RunFileError(
                f"{name}, line {number}, has more than {MOST_LINE_BYTES:,} bytes, the most that a "
                "line of a run needs; give a file that labkit saved."
            )
        if read > MOST_BYTES:
            raise RunFileError(
                f"{name} unpacks to more than {MOST_BYTES:,} bytes, the most that a run needs; "
                "give a file that labkit saved."
            )
        try:
            # An editor may have put a mark of its own before the first letter.
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise RunFileError(
                f"{name} cannot be read (line {number} is not UTF-8 text); "
                "give a file that labkit saved."
            ) from error


def run_files(source: str | os.PathLike[str]) -> list[Path]:
    """Return the files of saved runs in a folder, in order of name, or the one file given.

    Raises:
        LabkitError: If it is not a path.
    """
    if not isinstance(source, (str, os.PathLike)):
        raise LabkitError(
            f"{source!r:.60} is not a path; give a file that labkit saved, or a folder of them."
        )
    path = Path(source)
    if not os.path.isdir(path):  # which says no to a name that is too long, too
        return [path]
    return sorted(file for ending in ENDINGS for file in path.glob(ending))


def load_found(file: Path, source: str | os.PathLike[str]) -> Run:
    """Read a saved run that `run_files` found; what was named itself may be a pipe.

    Raises:
        RunFileError: If it is no saved run, or a pipe or a device that lies in a folder.
    """
    # Nobody may ever write to a pipe that lies in a folder: it would be waited for, for ever.
    if file != Path(source) and file.exists() and not (file.is_file() or file.is_dir()):
        raise RunFileError(f"{one_line(file.name)} is a pipe or a device; put a saved run there.")
    return load_run(file)
