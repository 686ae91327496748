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
from typing import TypeGuard

from labkit.bench.processes.search_path import module_files
from labkit.bench.protocol import Job
from labkit.cause.loop_file import parsed

# Of NumPy, of the libraries for linear algebra and threads below it, of TensorFlow, Keras and XLA.
READ_AT_IMPORT = (
    "BLIS_", "GOTO_", "KERAS_", "KMP_", "MKL_", "NPY_", "NUMEXPR_", "OMP_", "OPENBLAS_", "TF_",
    "XLA_",
)  # fmt: skip
# It decides what is printed, not what is computed, and is not worth a slower start.
NOT_WORTH = "TF_CPP_"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
IMPORTS = ("importlib.import_module", "__import__")

# What the names of a file stand for, such as "os.environ"; empty for what nobody asks about.
Names = dict[str, str]
# A variable, its value, which is None where that is reckoned, and whether only as a default.
Setting = tuple[str, str | None, bool]


def settings_of_job(job: Job) -> dict[str, str]:
    """Return what the reader's own program sets early: a script, a module, a file with a loop."""
    if not job.is_readers:
        return {}
    return early_settings(*(module_files(job.source) if job.module else [job.source]))


def early_settings(*files: Path | str, present: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables that a program sets before its first import of an installed library.

    Only what stands at its top and is written out: ``os.environ["OMP_NUM_THREADS"] = "1"``, the
    same with ``|=``, ``setdefault``, ``update`` or ``putenv``, and not removed again.

    Args:
        files: Its files, in the order in which they are run; one that cannot be read or compiled
            is the last.
        present: The variables there are: what ``setdefault`` leaves alone.
    """
    environment: dict[str, str | None] = {**present}
    for file in files:
        try:
            program = parsed(Path(file).read_bytes())
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            break
        if _reaches_library(program, environment):
            break
    return {
        name: value
        for name, value in environment.items()
        if value is not None and value != present.get(name) and _is_wanted(name)
    }


def as_they_are(names: Iterable[str]) -> dict[str, str | None]:
    """Return what some variables are now; a script finds them so until its own line sets them."""
    return {name: os.environ.get(name) for name in names}


def _is_wanted(name: str) -> bool:
    return name.startswith(READ_AT_IMPORT) and not name.startswith(NOT_WORTH)


def _reaches_library(program: ast.Module, environment: dict[str, str | None]) -> bool:
    """Change an environment as a file does, and tell whether it comes to import a library."""
    names: Names = {}
    for statement in program.body:
        parts = list(_run_with(statement))
        if any(_imports_library(part, names) for part in parts):
            return True
        for part in parts:  # within a block, too: it is not known to be there any more
            for name in _removed(part, names):
                environment.pop(name, None)
        for name, value, default in _settings(statement, names):
            if not (default and name in environment):
                environment[name] = value
        if not isinstance(statement, ast.AugAssign):  # ``environ |= ...`` binds what it was
            names.update({part.id: "" for part in parts if _is_bound_anew(part)})
        names.update(pair for part in parts for pair in list(_bound(part, names)))
    return False


def _run_with(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the parts of a statement that are run when it is, which a function's body is not."""
    parts: list[ast.AST] = [statement]
    while parts:
        part = parts.pop()
        yield part
        if not isinstance(part, FUNCTIONS):
            parts.extend(ast.iter_child_nodes(part))


def _imports_library(part: ast.AST, names: Names) -> bool:
    if isinstance(part, ast.Import):
        imported = [alias.name for alias in part.names]
    elif isinstance(part, ast.ImportFrom):
        imported = ["" if part.level else part.module or ""]  # a relative one is none of Python's
    else:
        return isinstance(part, ast.Call) and _whole_name(part.func, names) in IMPORTS
    return any(name.partition(".")[0] not in sys.stdlib_module_names for name in imported)


def _bound(part: ast.AST, names: Names) -> Iterator[tuple[str, str]]:
    """Yield what names stand for once a part of a statement has been run."""
    if isinstance(part, ast.Import):
        for alias in part.names:
            first = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (first, first)
    elif isinstance(part, ast.ImportFrom):
        for alias in part.names:
            yield alias.asname or alias.name, f"{part.module}.{alias.name}"
    elif isinstance(part, ast.Assign):
        for target in part.targets:
            if isinstance(target, ast.Name):
                yield target.id, _whole_name(part.value, names)
    elif isinstance(part, ast.FunctionDef):
        late = any(_imports_library(each, names) for each in ast.walk(part))
        yield part.name, IMPORTS[0] if late else ""  # who calls it imports what it does


def _is_bound_anew(part: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)


def _whole_name(node: ast.expr, names: Names) -> str:
    rest = ""
    while isinstance(node, ast.Attribute):
        rest = f".{node.attr}{rest}"
        node = node.value
    return names.get(node.id, node.id) + rest if isinstance(node, ast.Name) else ""


def _removed(part: ast.AST, names: Names) -> Iterator[str]:
    """Yield each variable that a part of a statement removes."""
    if isinstance(part, ast.Delete):
        removed = [each.slice for each in part.targets if _is_entry(each, names)]
    elif isinstance(part, ast.Call):
        removes = _whole_name(part.func, names) in ("os.environ.pop", "os.unsetenv")
        removed = part.args[:1] if removes else []
    else:
        return
    yield from (str(getattr(each, "value", "")) for each in removed)


def _settings(statement: ast.stmt, names: Names) -> Iterator[Setting]:
    """Yield each variable that a statement sets."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            if _is_entry(target, names):
                yield from _pair(target.slice, statement.value)
    elif isinstance(statement, ast.AugAssign) and _is_environ(statement.target, names):
        yield from _entries(statement.value)
    if isinstance(call := getattr(statement, "value", None), ast.Call):
        yield from _called(call, names)


def _called(call: ast.Call, names: Names) -> Iterator[Setting]:
    function, given = _whole_name(call.func, names), call.args
    if function in ("os.putenv", "os.environ.setdefault") and len(given) == 2:
        yield from _pair(*given, default=function != "os.putenv")
    elif function == "os.environ.update":
        for each in given:
            yield from _entries(each)
        for keyword in call.keywords:
            yield from _pair(ast.Constant(keyword.arg), keyword.value)


def _is_entry(node: ast.expr, names: Names) -> TypeGuard[ast.Subscript]:
    return isinstance(node, ast.Subscript) and _is_environ(node.value, names)


def _is_environ(node: ast.expr, names: Names) -> bool:
    return _whole_name(node, names) == "os.environ"


def _entries(node: ast.expr) -> Iterator[Setting]:
    if isinstance(node, ast.Dict):
        for name, value in zip(node.keys, node.values, strict=True):
            yield from _pair(name, value)


def _pair(name: ast.expr | None, value: ast.expr, *, default: bool = False) -> Iterator[Setting]:
    """Yield a variable, unless Python refuses it at this line."""
    called, text = (getattr(each, "value", None) for each in (name, value))
    if isinstance(called, str) and "=" not in called and _fits(called):
        if not isinstance(text, str):
            yield called, None, default
        elif _fits(text):
            yield called, text, default


def _fits(text: str) -> bool:
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False
