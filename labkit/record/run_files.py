"""Where saved runs lie: a file, or a folder of files."""

from __future__ import annotations

import os
from pathlib import Path

from labkit.record.errors import LabkitError, RunFileError
from labkit.record.file import load_run
from labkit.record.plain_text import one_line
from labkit.record.run import Run

ENDINGS = ("*.jsonl", "*.jsonl.gz")


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
