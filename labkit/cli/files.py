"""The files of a command line: looked at before the run, not after it."""

from __future__ import annotations

import os
from pathlib import Path

from labkit.record import LabkitError


def check_writable(out: Path, *, folder: bool = False) -> None:
    """Refuse what could not be saved.

    Args:
        out: Where ``--out`` wants it.
        folder: Whether that is to be a folder, which is made if it is not there.

    Raises:
        LabkitError: If it cannot be written there.
    """
    try:
        _check(out, folder)
    except OSError as error:  # a name too long, or a folder above it that is closed to us
        raise LabkitError(
            f"--out {str(out)[:60]!r} cannot be written ({error.strerror}); choose another name."
        ) from error


def _check(out: Path, folder: bool) -> None:
    if folder:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LabkitError(
                f"--out {str(out)!r} cannot be made a folder ({error.strerror}); choose another."
            ) from error
    parent = out if folder else out.parent
    if out.is_dir() and not folder:
        raise LabkitError(f"--out {str(out)!r} is a folder; give the name of a file.")
    # A pipe or a device is written into; its folder is not the reader's to write to.
    into = out if out.exists() and not out.is_file() and not folder else parent
    if not parent.is_dir() or not os.access(into, os.W_OK):
        raise LabkitError(
            f"--out {str(out)!r} cannot be written; choose a folder that exists and that you may "
            "write to."
        )
