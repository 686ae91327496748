"""Recorded runs, wherever they lie: in memory, in files and folders, or in labkit itself."""

from __future__ import annotations

import os
from pathlib import Path

from labkit.causes import SLUGS
from labkit.lab.shipped import shipped
from labkit.record import LabkitError, Run
from labkit.record.run_files import load_found, run_files


def recordings(*sources: Run | str | os.PathLike[str], cause: str | None = None) -> list[Run]:
    """Return runs, saved runs, all saved runs of folders, and those that come with labkit.

    Args:
        sources: Runs, files, folders, or names of labs; a folder called like a lab is written with
            a path, e.g. ``./history``.
        cause: Of this cause alone; None for all.

    Raises:
        LabkitError: If a file that was named is no saved run, a folder has files and none of them
            is one, or no recording of a lab comes with labkit.
    """
    found: list[Run] = []
    damaged: list[LabkitError] = []
    for source in sources:
        if isinstance(source, Run):
            found.append(source)
            continue
        if isinstance(source, str) and source in SLUGS:
            found += shipped(source)
            continue
        for file in run_files(source):
            try:
                found.append(load_found(file, source))
            except LabkitError as error:
                if file == Path(source):
                    raise
                damaged.append(error)  # costs the others of its folder nothing
    if damaged and not found:
        raise damaged[0]
    return [run for run in found if cause is None or run.cause == cause]
