"""Where saved runs lie: a file, or a folder of files."""

from __future__ import annotations

import os
from pathlib import Path

from labkit.record.errors import LabkitError

ENDINGS = ("*.jsonl", "*.jsonl.gz")


def run_files(source: str | os.PathLike[str]) -> list[Path]:
    """Return the files of saved runs in a folder, in order of name, or the one file given.

    Raises:
        LabkitError: If it is no path.
    """
    if not isinstance(source, (str, os.PathLike)):
        raise LabkitError(
            f"{source!r:.60} is no path; give a file that labkit saved, or a folder of them."
        )
    path = Path(source)
    if not os.path.isdir(path):  # which says no to a name that is too long, too
        return [path]
    return sorted(file for ending in ENDINGS for file in path.glob(ending))
