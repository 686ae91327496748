"""The causes, one file each, in the order of the course.

To add one: copy the nearest file, add its name to `SLUGS`, name its notebook. A cause is loaded
when it is asked for, and imports TensorFlow only when its loop is built.
"""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType

from labkit.cause import Cause
from labkit.record import ChoiceError, LabkitError

SLUGS: tuple[str, ...] = (
    "graph_growth",
    "retracing",
    "remedies",
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
    "healthy",
)


def load(source: str) -> Cause:
    """Return a cause by its slug, or from a file of one's own.

    Args:
        source: A slug, or the path of a ``.py`` file that defines ``CAUSE``.

    Raises:
        ChoiceError: If there is no cause of that name; the sentence lists them.
        LabkitError: If the file is missing or defines no ``CAUSE``.
    """
    if source.endswith(".py"):
        cause = getattr(_from_file(Path(source)), "CAUSE", None)
        if not isinstance(cause, Cause):
            raise LabkitError(
                f"{source} defines no CAUSE; end the file with CAUSE = Cause(...) as the files in "
                "labkit/causes do."
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


def _from_file(path: Path) -> ModuleType:
    specification = importlib.util.spec_from_file_location(f"labkit_file_{path.stem}", path)
    if not path.is_file() or specification is None or specification.loader is None:
        raise LabkitError(f"There is no file {str(path)!r}; give the path of a .py file.")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
