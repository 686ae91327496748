"""Pairs: a loop as it was before a repair, and the same with the repair that labkit prints.

A diagnosis looks into the whole file of a loop for repairs that are there already. So each loop is
taken out of the file it shares with others, with the imports and with those helpers that it uses.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "loops"
NUMBERS = (1, 2)
LOOPS = tuple(f"{when}_{number}" for number in NUMBERS for when in ("before", "after"))
MADE = "make_step"


@dataclass(frozen=True)
class Pair:
    """One loop, twice.

    Args:
        fix: The code name of the repair.
        number: Which loop of its file.
        loop: What the loop does, in a line.
        before: The source with the fault.
        after: The source with the repair.
    """

    fix: str
    number: int
    loop: str
    before: str
    after: str


def pairs(fix: str, folder: Path = FOLDER) -> tuple[Pair, ...]:
    """Return the pairs of a repair, in order.

    Raises:
        OSError: If the repair has no file.
    """
    text = (folder / f"{fix}.py").read_text(encoding="utf-8")
    told = {
        node.name: ast.get_docstring(node) or ""
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    }
    return tuple(
        Pair(fix, number, told[f"before_{number}"].rstrip("."),
             alone(text, f"before_{number}"), alone(text, f"after_{number}"))
        for number in NUMBERS
    )  # fmt: skip


def alone(text: str, chosen: str) -> str:
    """Return the source of one loop: its function as ``make_step``, and what that needs.

    Args:
        text: Of the file with all loops of a repair.
        chosen: The name of the function, e.g. ``"after_2"``.
    """
    body = ast.parse(text).body
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        body = body[1:]  # it names the fault
    made = {name: node for node in body for name in _made(node)}
    needed = {chosen}
    waiting = [chosen]
    while waiting:
        for name in _named(made[waiting.pop()]) & made.keys() - needed:
            needed.add(name)
            waiting.append(name)
    lines = text.splitlines()
    kept = [
        "\n".join(lines[_first_line(node) - 1 : node.end_lineno])
        for node in body
        if not _made(node) or needed & set(_made(node))
    ]
    return "\n\n".join(kept).replace(f"def {chosen}(", f"def {MADE}(") + "\n"


def _made(node: ast.stmt) -> tuple[str, ...]:
    """Return what a statement at the top of a file makes; nothing of imports and calls."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.Assign(targets=targets):
            return tuple(each.id for each in targets if isinstance(each, ast.Name))
    return ()


def _named(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _first_line(node: ast.stmt) -> int:
    """Return the line that a statement begins in, its decorators included."""
    over = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in over)])
