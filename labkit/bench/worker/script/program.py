"""A program of the reader's, run whole in this process as Python runs it: as ``__main__``."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import FrozenImporter, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from labkit.bench.processes.search_path import python_path
from labkit.record import LabkitError

Compile = Callable[[bytes, str], CodeType]
# Beside what is built in or frozen; and what imports itself bit by bit must stay what it is.
LOADED_FIRST = frozenset({"__main__", "encodings", "labkit"})


def run_program(name: str, arguments: Sequence[str], *, module: bool, compiled: Compile) -> None:
    """Run a program; what it raises passes through, SystemExit too.

    Args:
        name: Its path; or, as after ``python -m``, the name of a module or package.
        arguments: What it finds in ``sys.argv`` after its own name.
        module: Whether it is the name of a module.
        compiled: Compiles what stands in a file, given its path.

    Raises:
        LabkitError: If there is no such file or module.
    """
    # Who has forbidden it wants nothing from these folders (labkit's own processes never do).
    may_look = not os.environ.get("PYTHONSAFEPATH")
    sys.path[:] = dict.fromkeys([*python_path(), *sys.path])  # each once
    if module:
        sys.path[:0] = [os.getcwd()] * may_look
        spec = _module(name)
        assert spec.origin is not None
        path, package = spec.origin, spec.parent
        sys.argv = [path, *arguments]
        started = ["-m", name]
    else:
        # As Python has it: where a link leads to, and not where it stands, lie the script's own
        # modules; and the script finds itself however it changes the folder it is in. Nothing is
        # taken out of the path: after a link "link/.." is another folder than the one before it.
        sys.path[:0] = [os.path.dirname(os.path.realpath(name))] * may_look
        # It runs from a folder that was removed, if its name is whole.
        folder = "" if os.path.isabs(name) else os.getcwd()
        path, package, spec = str(Path(folder, name)), None, None
        sys.argv = [name, *arguments]
        started = [name]
    # A program may start itself anew by it: with ours it would start this process's launcher.
    sys.orig_argv = [sys.executable, *started, *arguments]
    if may_look:
        _set_aside(Path(sys.path[0]))
    try:
        source = Path(path).read_bytes()
    except OSError as error:
        raise LabkitError(f"{path} cannot be read ({error.strerror}).") from error
    main = ModuleType("__main__")
    vars(main).update(
        __file__=path, __spec__=spec, __package__=package, __cached__=None,
        __loader__=SourceFileLoader("__main__", path),
        __builtins__=sys.modules["builtins"],
    )  # fmt: skip
    if sys.version_info < (3, 14):
        vars(main)["__annotations__"] = {}
    # What a process that it spawns imports, and what pickles what is defined there.
    sys.modules["__main__"] = main
    exec(compiled(source, path), vars(main))  # noqa: S102  # it is what the learner asked to run


def _set_aside(folder: Path) -> None:
    """Let the program import its own module where labkit has imported Python's of the same name.

    A ``csv.py`` beside a script is what ``import csv`` finds with Python. What Python itself loads
    before any script it never is; and whoever has a module keeps it.
    """
    try:
        beside = [
            each.stem if each.suffix == ".py" else each.name
            for each in folder.iterdir()
            if each.suffix == ".py" or (each / "__init__.py").is_file()
        ]
    except OSError:  # nothing is imported from it either
        return
    for name in beside:
        module = sys.modules.get(name)
        if module is None or name in LOADED_FIRST or name in sys.builtin_module_names:
            continue
        if FrozenImporter.find_spec(name) is not None or _lies_in(module, folder):
            continue
        for each in [each for each in sys.modules if f"{each}.".startswith(f"{name}.")]:
            del sys.modules[each]


def _lies_in(module: ModuleType, folder: Path) -> bool:
    file = Path(getattr(module, "__file__", None) or os.devnull)
    return folder in (file.parent, file.parent.parent)


def _module(name: str) -> ModuleSpec:
    try:
        found = importlib.util.find_spec(name)
        if found is not None and found.submodule_search_locations is not None:
            found = importlib.util.find_spec(f"{name}.__main__")
    except (ImportError, ValueError) as error:
        raise LabkitError(f"There is no module {name!r} to be run ({error}).") from error
    if found is None or not (found.origin or "").endswith(".py"):
        raise LabkitError(
            f"There is no module {name!r} to be run; give one that python -m runs, from the folder "
            "where that does."
        )
    return found
