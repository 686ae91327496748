"""The files of a command line: looked at before the run, not after it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from labkit.record import LabkitError, Run
from labkit.record.saving.shared_folder import followed

# No report and no run has such a name, and a script may import any file of its folder.
PROGRAMS = (".py", ".ipynb")
RUNS = (".jsonl", ".gz")


def check_writable(
    out: Path,
    *,
    folder: bool = False,
    inputs: Iterable[str | Path] = (),
    option: str = "--out",
    of_runs: bool = False,
) -> None:
    """Refuse what could not be saved, and what would replace a program or a file that is read.

    Args:
        out: Where it is wanted.
        folder: Whether that is to be a folder, which is made if it is not there.
        inputs: The files that the command reads, or writes as well.
        option: What asks for it.
        of_runs: Whether a run is saved there, which alone may replace one.

    Raises:
        LabkitError: If it cannot be written there.
    """
    if not (folder or out.name):
        raise LabkitError(f"{option} names no file; give the name of one, e.g. {option} out.html.")
    if str(out) == "-":
        raise LabkitError(
            f"{option} '-' is no name for a file: other programs mean standard output by it, and "
            "this one writes files only; give the name of a file."
        )
    for each in inputs:
        if not folder and _same(out, Path(each)):
            raise LabkitError(
                f"{option} {str(out)!r} would replace a file that this command reads or writes as "
                "well; choose another name."
            )
    try:
        if out.is_file() and out.suffix in RUNS and not of_runs:
            raise LabkitError(
                f"{option} {str(out)!r} would replace a saved run by something else; choose "
                "another name, e.g. one that ends with .html."
            )
        _check(out, folder, option)
    except OSError as error:  # a name too long, or a folder above it that is closed to us
        raise LabkitError(
            f"{option} {str(out)[:60]!r} cannot be written ({error.strerror}); choose another name."
        ) from error


def version(file: Path) -> object:
    """Return what differs once a file was written anew; None where there is no plain file."""
    try:
        found = file.stat()
    except OSError:
        return None
    return (found.st_ino, found.st_size, found.st_mtime_ns) if file.is_file() else None


def may_replace(out: Path, run: Run) -> bool:
    """Tell whether a run may stand where a file is: one without a step takes no other's place."""
    return bool(len(run.steps)) or not out.is_file()


def _same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:  # one of them is not there yet
        return os.path.realpath(one) == os.path.realpath(other)


def _check(out: Path, folder: bool, option: str) -> None:
    if folder:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LabkitError(
                f"{option} {str(out)!r} cannot be made a folder ({error.strerror}); choose another."
            ) from error
    if not folder and out.exists() and Path(os.path.realpath(out)).suffix in PROGRAMS:
        raise LabkitError(
            f"{option} {str(out)!r} would replace a program; choose another name, or remove it."
        )
    # What a link leads to is written, and that may be where no folder is, or nowhere.
    parent = out if folder else followed(out).parent
    if out.is_dir() and not folder:
        raise LabkitError(f"{option} {str(out)!r} is a folder; give the name of a file.")
    # A pipe or a device is written into; its folder is not the reader's to write to.
    into = out if out.exists() and not out.is_file() and not folder else parent
    closed = out.is_file() and not os.access(out, os.W_OK)  # as a shell's > refuses it
    if not parent.is_dir() or not os.access(into, os.W_OK) or closed:
        raise LabkitError(
            f"{option} {str(out)!r} cannot be written; choose a folder that exists and that you "
            "may write to."
        )
