"""Recorded runs, wherever they lie: in memory, in files and folders, or in labkit itself.

Those that come with labkit are real runs of each lab, a folder for each. `python -m
tools.recordings` made them; each file says on what and when.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from labkit.causes import SLUGS
from labkit.record import LabkitError, Run, load_run
from labkit.record.file import load_found, run_files

FOLDER = "recordings"


def recordings(
    *sources: Run | str | os.PathLike[str],
    cause: str | None = None,
    passed_over: list[LabkitError] | None = None,
) -> list[Run]:
    """Return runs, saved runs, all saved runs of folders, and those that come with labkit.

    Args:
        sources: Runs, files, folders, or names of labs; a folder called like a lab is written with
            a path, e.g. ``./history``.
        cause: Of this cause alone; None for all.
        passed_over: Takes the errors of those files in folders that are no saved runs.

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
    if passed_over is not None:
        passed_over += damaged
    return [run for run in found if cause is None or run.cause == cause]


def printing_skipped(*sources: Run | str | os.PathLike[str], cause: str | None = None) -> list[Run]:
    """Return `recordings`, and print a line for each file of a folder that is no saved run.

    Args:
        sources: Runs, files, folders, or names of labs.
        cause: Of this cause alone; None for all.

    Raises:
        LabkitError: As `recordings` does.
    """
    passed_over: list[LabkitError] = []
    found = recordings(*sources, cause=cause, passed_over=passed_over)
    for each in passed_over:
        print(f"skipped: {each}")
    return found


def shipped(slug: str, folder: Path | None = None) -> list[Run]:
    """Return the recordings of one lab that come with labkit, the defaults' first.

    Of one device, for curves of two do not compare: the graphics card, where there are enough.

    Args:
        slug: The lab's cause.
        folder: Where they lie, a folder for each cause; None for those in the package.

    Raises:
        LabkitError: If there is none.
    """
    where = folder or Path(str(resources.files("labkit").joinpath(FOLDER)))
    runs = [load_run(file) for file in run_files(where / slug)] if (where / slug).is_dir() else []
    if not runs:
        raise LabkitError(
            f"No recording of {slug} comes with labkit; make one with:  "
            f"labkit run {slug} --out {slug}.jsonl"
        )
    return of_best_device(runs)


def of_best_device(runs: Sequence[Run]) -> list[Run]:
    """Return the runs of one device: of a graphics card where they show what a toggle changes.

    What a self-check sends from a card is each lab's defaults. By them alone a lab would lose the
    toggles that its recordings from a processor have.
    """
    on_card = [run for run in runs if run.environment.get("gpu")]
    others = [run for run in runs if not run.environment.get("gpu")]
    enough = len({tuple(sorted(run.toggles.items())) for run in on_card}) > 1
    return on_card if enough or not others else others
