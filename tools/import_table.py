"""Holds the import table: which room of labkit may import which.

It reads source text and imports nothing, so a broken file cannot hide what stands in it.

Usage: python -m tools.import_table
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# An import must go to a lower level, or stay in its room; rooms of one level are strangers.
LEVELS = {
    "record": 0,
    "cause": 1,
    "measure": 2,
    "stats": 2,
    "causes": 3,
    "bench": 4,
    "diagnosis": 4,
    "show": 4,
    "claims": 5,
    "course": 5,
    "lab": 6,
    "cli": 7,
    "__init__": 7,
}
STANDARD_LIBRARY_ONLY = ("record", "cause")
NEVER_AT_IMPORT = ("tensorflow", "keras", "tf_keras")
# Loops as a learner writes them, and as the sources did: run only in a worker, by their path.
LOOPS = (("course", "exercises"), ("claims", "loops"), ("claims", "examples"))


@dataclass(frozen=True)
class Import:
    """One import statement, or one call that imports by name.

    Args:
        name: The full dotted name, for example ``"labkit.record.Run"``.
        line: Where it stands.
        at_import: Whether it runs when the file itself is imported, so outside every function.
    """

    name: str
    line: int
    at_import: bool


def imports(source: str, package: str) -> Iterator[Import]:
    """Yield everything a file imports, wherever it stands.

    Args:
        source: The file's text.
        package: The package the file is in, for example ``"labkit.show"``.
    """

    def visit(node: ast.AST, at_import: bool) -> Iterator[Import]:
        for name in _names(node, package):
            yield Import(name, getattr(node, "lineno", 0), at_import)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            at_import = False
        for child in ast.iter_child_nodes(node):
            yield from visit(child, at_import)

    yield from visit(ast.parse(source), True)


def _names(node: ast.AST, package: str) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        parts = package.split(".")
        base = parts[: len(parts) - node.level + 1] if node.level else []
        base += node.module.split(".") if node.module else []
        return [".".join([*base, alias.name]) for alias in node.names]
    if isinstance(node, ast.Call) and node.args:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else None
        called = node.func.id if isinstance(node.func, ast.Name) else called
        text = _leading_text(node.args[0])
        if called in ("import_module", "__import__") and text:
            return [text]
    return []


def _leading_text(node: ast.expr) -> str:
    """Return the fixed text a string begins with: ``"causes."`` of ``f"causes.{x}"``."""
    if isinstance(node, ast.JoinedStr) and node.values:
        node = node.values[0]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def room_of(name: str, root: Path) -> str:
    """Return the room a dotted name of labkit belongs to; a name of labkit itself is __init__'s."""
    part = [*name.split("."), ""][1]
    is_module = (root / part).is_dir() or (root / f"{part}.py").is_file()
    return part if part and (is_module or part in LEVELS) else "__init__"


def violations(root: Path) -> list[str]:
    """Return one sentence for each import under a folder `root` that the table does not allow."""
    found = []
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        if place.parts[:2] in LOOPS:
            continue
        room = place.parts[0].removesuffix(".py")
        if room not in LEVELS:
            found.append(f"{place}: {room} is no room; the rooms are {', '.join(LEVELS)}")
            continue
        package = ".".join((root.name, *place.parts[:-1]))
        for each in imports(path.read_text(encoding="utf-8"), package):
            wrong = _wrong(each, room, root)
            found += [f"{place}:{each.line}: {wrong}"] if wrong else []
    return found


def _wrong(each: Import, room: str, root: Path) -> str:
    top = each.name.split(".")[0]
    if top != root.name:
        if each.at_import and top in NEVER_AT_IMPORT:
            return f"{top} is imported outside a function, so whoever imports the file loads it"
        if room in STANDARD_LIBRARY_ONLY and top not in sys.stdlib_module_names:
            return f"{room} may import the standard library only, not {top}"
        return ""
    target = room_of(each.name, root)
    if target == room or LEVELS.get(target, 99) < LEVELS[room]:
        return ""
    return f"{room} (level {LEVELS[room]}) may not import {target} (level {LEVELS.get(target)})"


if __name__ == "__main__":
    sentences = violations(Path(__file__).parent.parent / "labkit")
    print(*sentences, sep="\n", end="\n" if sentences else "")
    sys.exit(1 if sentences else 0)
