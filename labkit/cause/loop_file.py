"""A file with a loop: run as a module, or made into a cause, as a file of the reader's own is.

Such a file is only looked at here, and run in the process that runs the loop: it imports
TensorFlow, and may do anything.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any

from labkit.cause.cause import Cause
from labkit.cause.expectation import Expectation
from labkit.cause.step import plain_step
from labkit.record import LabkitError
from labkit.record.plain_text import shortened

MAKE_STEP = "make_step"
# Of a loop of which nothing is known: what grows in most that are ill.
LANES = ("graph_ops", "traces", "resident_bytes")
WHAT_TO_ADD = (
    "def make_step():\n    ...  # build the model and the data here\n    return train_step"
)


class _AsItStands(SourceFileLoader):
    """Compiles a file anew each time, and never takes or leaves what was compiled before.

    In a folder where others may write, ``__pycache__`` may be theirs; and Python takes the code of
    before for a file that was changed within one second to the same size.
    """

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def run_file(path: Path | str, name: str) -> ModuleType:
    """Run a Python file and return the module that it makes.

    Args:
        path: The file.
        name: What the module is called. No module of that name should be there already: this one
            takes its place.
    """
    loader = _AsItStands(name, str(path))
    specification = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    # Dataclasses and pickles look their module up by its name.
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except BaseException:
        if before is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = before
        raise
    return module


def parsed(text: bytes) -> ast.Module:
    """Return a reader's program as its syntax; what is to be warned of, Python says when it runs.

    Raises:
        SyntaxError: If it is not Python; ValueError, RecursionError and MemoryError may be, too.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def names_defined(path: Path) -> frozenset[str]:
    """Return the names that a file defines at its top level, without running it.

    Of one that is nested too deeply to be read (a thousand calls in a row) there are none. A
    ``make_step`` that must be given arguments is left out where the file does something by itself,
    as a script does: it is a function of the reader's own.

    Raises:
        LabkitError: If there is no such file, or it is not Python.
    """
    # These say no to a name that no file can have, too.
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        # Nobody may ever write to a pipe: no signal ends who waits for it.
        raise LabkitError(
            f"{shortened(str(path))!r} is a pipe or a device; give the path of a .py file."
        )
    try:
        text = path.read_bytes()
    except (OSError, ValueError) as error:  # a name that no file can have is a ValueError
        reason = getattr(error, "strerror", None) or "there is no such file"
        raise LabkitError(
            f"There is no file {shortened(str(path))!r} that can be read ({reason}); give the path "
            "of a .py file."
        ) from error
    try:
        tree = parsed(text)
    except (RecursionError, MemoryError):
        return frozenset()  # nested too deeply to be read, and not to be run
    except (SyntaxError, ValueError) as error:
        number = getattr(error, "lineno", None)  # none where it is about the whole file
        line = f" in line {number}" if number else ""
        raise LabkitError(
            f"{path.name} is not Python{line} ({error.args[0]}); correct that, then run it again."
        ) from error
    return frozenset(_bound(tree.body))


def _bound(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            own = statement.name == MAKE_STEP and _needs_arguments(statement)
            if not own or not any(map(_does_something, body)):
                yield statement.name
            continue
        if isinstance(statement, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in statement.names)
            continue
        for part in ast.walk(statement):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part.id
            elif isinstance(part, ast.FunctionDef):  # within an if or a try
                yield part.name


def _does_something(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Call)  # and no docstring
    return isinstance(statement, ast.For | ast.While | ast.With | ast.If)


def _needs_arguments(statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    if isinstance(statement, ast.ClassDef):
        return False
    asked = statement.args
    positional = len(asked.posonlyargs) + len(asked.args)
    return positional > len(asked.defaults) or None in asked.kw_defaults


def own_loop(path: Path) -> Cause:
    """Return a cause that runs a reader's loop; the file is run when its loop is built.

    Args:
        path: A file that defines ``make_step() -> callable``, the callable doing one step.

    Raises:
        LabkitError: If the file defines no ``make_step``; the sentence has the lines to add.
    """
    if MAKE_STEP not in names_defined(path):
        raise LabkitError(
            f"{path.name} defines no make_step(); add these lines, where train_step is your "
            f"function that does one step:\n\n{WHAT_TO_ADD}"
        )
    where = path.resolve()

    def make_step(toggles: SimpleNamespace, *, seed: int = 0) -> Callable[[], object]:
        return plain_step(_build(where), f"make_step() in {where.name}")

    # With its ending: a loop in history.py is not the course's cause of that name.
    return _unknown_loop(path.name, path.name, "A loop of your own.", make_step)


def script(name: str, title: str) -> Cause:
    """Return what stands for a script where a cause does: it is run whole, and builds no loop.

    Args:
        name: Its file's name, or its module's.
        title: What it is called.
    """

    def make_step(toggles: SimpleNamespace, *, seed: int = 0) -> Callable[[], object]:
        raise LabkitError(f"{name} is a script; it is run whole.")

    return _unknown_loop(name, title, "A script of your own.", make_step)


def _unknown_loop(
    slug: str, title: str, summary: str, make_step: Callable[..., Callable[[], object]]
) -> Cause:
    return Cause(
        slug=slug,
        title=title,
        summary=summary,
        make_step=make_step,
        toggles=(),
        sizes=(),
        expectation=Expectation(shape="flat", steps=300, growth=0.0),
        notebook="",
        lanes=LANES,
    )


def _build(path: Path) -> Any:
    name = path.stem if _found_by_its_name(path) else f"labkit_own_{path.stem}"
    return run_file(path, name).make_step()


def _found_by_its_name(path: Path) -> bool:
    """Tell whether ``import`` finds this very file: a process that it spawns will look there."""
    if not path.stem.isidentifier() or path.stem in sys.modules:
        return False
    try:
        module = importlib.util.find_spec(path.stem)
    except (ImportError, ValueError):
        return False
    return module is not None and module.origin == str(path)
