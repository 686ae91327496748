"""Where a run's processes look for modules: never first in the folder somebody works in.

A learner's own ``json.py`` or ``tensorflow.py`` beside a notebook would else be imported in place
of the real one, by the launcher and by everything that TensorFlow imports.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def python_command(module: str) -> list[str]:
    """Return the command that runs the ``main()`` of a module of labkit's.

    ``-P`` leaves the current folder out. labkit's own folder comes last: where a checkout is used
    without being installed, nothing else in it gets in front of anything.
    """
    code = f"import sys; sys.path.append({str(ROOT)!r}); from {module} import main; main()"
    return [sys.executable, "-P", "-c", code]


def child_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a new process, without a PYTHONPATH into the current folder.

    An empty or relative entry of it means that folder, and many a start-up file leaves one behind.

    Args:
        environment: Variables it has beside ours.
    """
    made = {**os.environ, **environment}
    paths = made.pop("PYTHONPATH", "").split(os.pathsep)
    if kept := [path for path in paths if os.path.isabs(path) and not _is_here(path)]:
        made["PYTHONPATH"] = os.pathsep.join(kept)
    return made


def find_also_in(*folders: Path) -> None:
    """Let this process find the modules in some folders: those of a loop of one's own.

    They come after Python's own modules, so that none of these can be displaced, and before what
    is installed.
    """
    installed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    places = [at for at, path in enumerate(sys.path) if path in installed]
    at = places[0] if places else len(sys.path)
    sys.path[at:at] = [str(folder) for folder in folders if str(folder) not in sys.path]


def _is_here(path: str) -> bool:
    try:
        return os.path.samefile(path, ".")
    except OSError:
        return False
