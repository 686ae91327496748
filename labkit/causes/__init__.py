"""The causes, one file each, in the order of the course.

To add one: copy the nearest file, add its name to `SLUGS`, name its notebook. A cause is loaded
when it is asked for, and imports TensorFlow only when its loop is built.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb
from types import ModuleType

from labkit.cause import Cause, names_defined, own_loop, run_file
from labkit.record import ChoiceError, LabkitError

SLUGS: tuple[str, ...] = (
    "graph_growth",
    "retracing",
    "open_tape",
    "fragmentation",
    "garbage",
    "checkpoint_io",
    "session_churn",
    "combined",
    "input_pipeline",
    "host_transfer",
    "history",
    "kept_objects",
    "optimizer_memory",
    "memory_limit",
    "two_workers",
    "observer",
    "remedies",
    "healthy",
)


def load(source: str, *, stay: bool = True) -> Cause:
    """Return a cause by its slug, or from a file of one's own.

    Args:
        source: A slug, or the path of a ``.py`` file that defines ``CAUSE``, or ``make_step()``
            for a loop of one's own; such a file is run only when its loop is built.
        stay: Whether this process stays in its current folder where a file goes to another; only a
            worker goes along. A command wrote its ``--out`` into that folder.

    Raises:
        ChoiceError: If there is no cause of that name; the sentence lists them.
        LabkitError: If the file is missing, defines neither, or raises or exits while it is loaded.
    """
    if source.endswith(".py"):
        if "CAUSE" not in names_defined(Path(source)):
            return own_loop(Path(source))
        with _staying() if stay else contextlib.nullcontext():
            cause = getattr(_from_file(Path(source)), "CAUSE", None)
        if not isinstance(cause, Cause):
            raise LabkitError(
                f"CAUSE in {source} is not a Cause; end the file with CAUSE = Cause(...) as the "
                "files in labkit/causes do."
            )
        return cause
    if source not in SLUGS:
        raise ChoiceError("cause", source, SLUGS)
    cause = importlib.import_module(f"labkit.causes.{source}").CAUSE
    assert isinstance(cause, Cause)
    return cause


def every() -> tuple[Cause, ...]:
    """Return all causes in the order of the course."""
    return tuple(load(slug) for slug in SLUGS)


@contextlib.contextmanager
def _staying() -> Iterator[None]:
    """Go back afterwards to where this process is now, if that is anywhere."""
    here = ""
    with contextlib.suppress(OSError):
        here = os.getcwd()
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if here:
                os.chdir(here)


def _from_file(path: Path) -> ModuleType:
    try:
        # What it prints must not stand in the answer of a command.
        with contextlib.redirect_stdout(sys.stderr):
            return run_file(path, f"labkit_file_{path.stem}")
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit: a file's sys.exit(0) ended the command
        lines = [
            line
            for frame, line in walk_tb(error.__traceback__)
            if frame.f_code.co_filename == str(path.absolute())
        ]
        where = f" in line {lines[-1]}" if lines else ""
        told = f": {error}" if str(error) else ""
        raise LabkitError(
            f"{path} cannot be loaded ({type(error).__name__}{where}{told}); correct the file."
        ) from error
