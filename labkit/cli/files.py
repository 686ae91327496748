"""The files of a command line: looked at before the run, not after it."""

from __future__ import annotations

import os
from pathlib import Path
from traceback import walk_tb

from labkit.cause import Cause
from labkit.causes import load
from labkit.record import LabkitError


def loaded(source: str) -> Cause:
    """Return a cause; a file of the reader's own may raise anything while it is loaded.

    Args:
        source: The slug of a cause, or the path of a ``.py`` file.

    Raises:
        LabkitError: If it cannot be loaded.
    """
    try:
        return load(source)
    except LabkitError:
        raise
    except Exception as error:
        lines = [
            line
            for frame, line in walk_tb(error.__traceback__)
            if frame.f_code.co_filename == source
        ]
        where = f" in line {lines[-1]}" if lines else ""
        raise LabkitError(
            f"{source} cannot be loaded ({type(error).__name__}{where}: {error}); mend the file."
        ) from error


def check_writable(out: Path, *, folder: bool = False) -> None:
    """Refuse what could not be saved.

    Args:
        out: Where ``--out`` wants it.
        folder: Whether that is to be a folder, which is made if it is not there.

    Raises:
        LabkitError: If it cannot be written there.
    """
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
