"""What a program sets in its environment before it imports the libraries that read it.

NumPy and TensorFlow read such variables once, while they are imported. labkit's process has
imported one or both when the program's first line runs, so the lines are looked for beforehand.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

# Of NumPy, of the libraries for linear algebra and threads below it, of TensorFlow, Keras and XLA.
READ_AT_IMPORT = (
    "BLIS_", "GOTO_", "KERAS_", "KMP_", "MKL_", "NPY_", "NUMEXPR_", "OMP_", "OPENBLAS_", "TF_",
    "XLA_",
)  # fmt: skip
# It decides what is printed, not what is computed, and is not worth a slower start.
NOT_WORTH = "TF_CPP_"


def early_settings(path: Path | str, present: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables that a file sets before its first import of an installed library.

    Only what stands at its top and is written out: ``os.environ["OMP_NUM_THREADS"] = "1"``, the
    same with ``setdefault``, ``update`` or ``putenv``.

    Args:
        path: The file; one that cannot be read or compiled sets nothing.
        present: The variables there are: what ``setdefault`` leaves alone.
    """
    try:
        program = ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, str] = {}
    for statement in program.body:
        if _imports_library(statement):
            break
        for name, value, default in _settings(statement):
            wanted = name.startswith(READ_AT_IMPORT) and not name.startswith(NOT_WORTH)
            if wanted and not (default and name in {**present, **found}):
                found[name] = value
    return found


def as_they_are(names: Iterable[str]) -> dict[str, str | None]:
    """Return what some variables are now; a script finds them so until its own line sets them."""
    return {name: os.environ.get(name) for name in names}


def _imports_library(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Import):
        names = [alias.name for alias in statement.names]
    elif isinstance(statement, ast.ImportFrom):
        names = [statement.module or ""]
    else:
        return False
    return any(name.partition(".")[0] not in sys.stdlib_module_names for name in names)


def _settings(statement: ast.stmt) -> Iterator[tuple[str, str, bool]]:
    """Yield each variable that a statement sets, its value, and whether only as a default."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Subscript) and _is_environ(target.value):
                yield from _pair(target.slice, statement.value)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield from _called(statement.value)


def _called(call: ast.Call) -> Iterator[tuple[str, str, bool]]:
    function, given = call.func, call.args
    if not isinstance(function, ast.Attribute):
        return
    if function.attr == "putenv" or (function.attr == "setdefault" and _is_environ(function.value)):
        if len(given) == 2:
            for name, value, _ in _pair(*given):
                yield name, value, function.attr == "setdefault"
    elif function.attr == "update" and _is_environ(function.value):
        for each in given:
            if isinstance(each, ast.Dict):
                for key, value_of in zip(each.keys, each.values, strict=True):
                    yield from _pair(key, value_of)
        for keyword in call.keywords:
            yield from _pair(ast.Constant(keyword.arg), keyword.value)


def _is_environ(node: ast.expr) -> bool:
    return getattr(node, "attr", getattr(node, "id", "")) == "environ"


def _pair(name: ast.expr | None, value: ast.expr) -> Iterator[tuple[str, str, bool]]:
    written = [getattr(each, "value", None) for each in (name, value)]
    if all(isinstance(each, str) for each in written):
        yield str(written[0]), str(written[1]), False
