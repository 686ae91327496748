"""Names that are given something new at each turn: what they hold is not kept, however it grows.

A batch may be longer than the one before, and nobody keeps the one before. A history that is put
together from itself and a little more is kept, though its name holds a new array at each turn.
"""

from __future__ import annotations

import ast
from collections import defaultdict


def passing_names(tree: ast.AST) -> frozenset[str]:
    """Return the names in a file that hold something new each time, and nothing of themselves.

    Args:
        tree: The file. A name that stands for different things in two functions counts as one.

    Returns:
        What a loop goes through, and what is assigned within a loop from names that do not lead
        back to it.
    """
    targets: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            targets |= _stored(node.target)
    assigned: set[str] = set()
    made_of: defaultdict[str, set[str]] = defaultdict(set)
    for loop in ast.walk(tree):
        if not isinstance(loop, ast.For | ast.AsyncFor | ast.While):
            continue
        for node in ast.walk(loop):
            if isinstance(node, ast.AugAssign):
                for name in _stored(node.target):
                    made_of[name].add(name)
            elif isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value:
                places = node.targets if isinstance(node, ast.Assign) else [node.target]
                for name in set().union(*map(_stored, places)):
                    assigned.add(name)
                    made_of[name] |= _loaded(node.value)
    kept = {name for name in made_of if _leads_back(name, made_of)}
    return frozenset((targets | assigned) - (kept - targets))


def _stored(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}  # fmt: skip


def _loaded(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}  # fmt: skip


def _leads_back(name: str, made_of: dict[str, set[str]]) -> bool:
    """Tell whether a name is made of itself, directly or by others."""
    seen: set[str] = set()
    waiting = [*made_of.get(name, ())]
    while waiting:
        each = waiting.pop()
        if each == name:
            return True
        if each not in seen:
            seen.add(each)
            waiting += made_of.get(each, ())
    return False
