"""Where a run's processes look for modules and settings: never first in the folder of somebody's.

A learner's own ``json.py`` or ``tensorflow.py`` beside a notebook would else be imported in place
of the real one, by the launcher and by everything that TensorFlow imports.
"""

from __future__ import annotations

import contextlib
import os
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path

from labkit.record.saving.shared_folder import others_may_write
from labkit.record.saving.user_namespace import known_users

# How a kernel names its current folder on its search path.
HERE = ("", os.curdir)
ROOT = Path(__file__).resolve().parents[3]


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
    Where there is no home to write to, Keras would take its settings from ``/tmp/.keras``, which
    any other user may have put there: it is sent to a folder that cannot be.

    Args:
        environment: Variables it has beside ours.
    """
    made = {**os.environ, **environment}
    paths = made.pop("PYTHONPATH", "").split(os.pathsep)
    if kept := [path for path in paths if os.path.isabs(path) and not _is_here(path)]:
        made["PYTHONPATH"] = os.pathsep.join(kept)
    if not os.access(os.path.expanduser("~"), os.W_OK):
        made.setdefault("KERAS_HOME", os.path.join(os.devnull, "keras"))
    return made


def import_installed(names: Iterable[str]) -> None:
    """Import the libraries that a file beside a notebook is called like, from where they belong.

    A kernel looks into its current folder first, and the first picture ran the ``matplotlib.py``
    of somebody's. Where nothing is called so, nothing is imported.

    Args:
        names: Modules; whichever library was imported before is left as it is.
    """
    before = list(sys.path)
    here = [path for path in before if path in HERE]
    libraries = {name: name.partition(".")[0] for name in names}
    called_so = [
        name
        for name, library in libraries.items()
        if library not in sys.modules and PathFinder.find_spec(library, here) is not None
    ]
    if not called_so:
        return
    sys.path[:] = [path for path in before if path not in HERE]
    try:
        for name in called_so:
            with contextlib.suppress(ImportError):  # whoever needs it will say so
                import_module(name)
    finally:
        sys.path[:] = before


def change_environment(changes: Mapping[str, str | None]) -> None:
    """Set variables of this process, or remove those that are to be None."""
    for name, value in changes.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def find_also_in(*folders: Path) -> None:
    """Let this process find the modules in some folders: those of a loop of one's own.

    They come after Python's own modules, so that none of these can be displaced, and before what
    is installed.
    """
    installed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    places = [at for at, path in enumerate(sys.path) if path in installed]
    at = places[0] if places else len(sys.path)
    sys.path[at:at] = [str(folder) for folder in folders if str(folder) not in sys.path]


def python_path() -> list[str]:
    """Return all entries of PYTHONPATH as Python has them: absolute (``site.removeduppaths``).

    labkit's own processes do without those that are relative, and an empty one is the current
    folder.
    """
    said = os.environ.get("PYTHONPATH")
    return [os.path.abspath(entry) for entry in said.split(os.pathsep)] if said else []


def module_files(name: str) -> list[str]:
    """Return the files that ``python -m NAME`` runs, in order: its packages' first, then its own.

    They are looked for where the program will find them, and none is run for that.
    """
    places = [*python_path(), *sys.path]
    if not os.environ.get("PYTHONSAFEPATH"):
        places.insert(0, "")  # the current folder
    files = []
    for part in (*name.split("."), "__main__"):
        # By its last name: for that of a whole one, Python asks the packages, which would be run.
        found = PathFinder.find_spec(part, places)
        if found is None:
            break
        files += [found.origin] if found.origin is not None else []
        if found.submodule_search_locations is None:
            break
        places = list(found.submodule_search_locations)
    return files


def is_safe(folder: Path, beside: Path) -> bool:
    """Tell whether nobody but root, this user and whoever has a file can put one into a folder.

    A loop of one's own may lie and be run anywhere, ``/tmp`` too, and what others have put there
    would be imported in place of what is installed.

    Args:
        folder: Which may be looked through for modules.
        beside: The loop's file, whose owner is trusted: it is run.
    """
    try:
        found, owner = os.stat(folder), os.stat(beside).st_uid
    except OSError:
        return False
    if os.name != "posix":
        return True
    return found.st_uid in known_users(owner) and not others_may_write(folder, found)


def _is_here(path: str) -> bool:
    try:
        return os.path.samefile(path, ".")
    except OSError:
        return False
