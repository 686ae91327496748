"""A file compiled so that each of its loops tells when it is entered, turned and left.

The loops are found in the syntax tree, and each is given a call of a function that `turns` puts
among Python's own names. Nothing else of the program changes, and no line moves: tracebacks, and
whoever reads the source as AutoGraph does, see the file as it stands. Where a function is saved by
its code, as Keras and cloudpickle do, and loaded where labkit is not, its loops run by themselves.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
from collections.abc import Collection, Iterator, Sequence
from types import CodeType
from typing import TypeVar

from labkit.measure.loops.passing import passing_names
from labkit.record.loop import LoopKind, SourceLoop

# As names of Python's own they are found from every file. Names that begin and end so are not
# changed within a class.
GO_THROUGH, GO_THROUGH_MAP, ENTER, TURN, LEAVE = (
    f"__labkit_{what}__" for what in ("go_through", "go_through_map", "enter", "turn", "leave")
)
MOST_LETTERS = 200
# What makes machine code of a function's own bytecode, as Numba does: ours is none of it.
COMPILERS = frozenset({"jit", "njit", "vectorize", "guvectorize", "cfunc", "stencil", "overload"})
Node = TypeVar("Node", bound=ast.AST)


def compile_telling(
    source: bytes, file: str, first: int
) -> tuple[CodeType, list[SourceLoop], frozenset[str]]:
    """Compile a file so that its loops tell.

    Args:
        source: What stands in it.
        file: Its path, for tracebacks.
        first: The number of its first loop; the others follow.

    Returns:
        The code, the loops in the order of their numbers, and the names that hold something new
        at each turn of one.

    Raises:
        SyntaxError, ValueError: If it is not Python.
        RecursionError: If it is nested too deeply to be walked through.
    """
    tree = ast.parse(source, file)
    passing = passing_names(tree)
    # As Python counts them: a form feed ends a line for `str.splitlines` alone.
    lines = importlib.util.decode_source(source).split("\n")
    telling = _Telling(file, first, lines, {*_handed_to_compilers(tree)})
    made = ast.fix_missing_locations(telling.visit(tree))
    return compile(made, file, "exec", dont_inherit=True), telling.loops, passing


class _Telling(ast.NodeTransformer):
    def __init__(
        self, file: str, first: int, lines: Sequence[str], compiled: Collection[str]
    ) -> None:
        self.loops: list[SourceLoop] = []
        self._file, self._first, self._lines = file, first, lines
        self._compiled = compiled

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if node.name not in self._compiled and not any(map(_compiles, node.decorator_list)):
            self.generic_visit(node)
        return node

    def visit_For(self, node: ast.For) -> ast.For:
        # Numbered before those within it: a reader counts from the top.
        if _calls(node):
            self._go_through(node, "for", node)
        self.generic_visit(node)
        return node

    def visit_While(self, node: ast.While) -> list[ast.stmt] | ast.While:
        if not _calls(node):
            return node
        number = self._number("while", node)
        self.generic_visit(node)
        node.body.insert(0, _told(TURN, number, node.body[0]))
        return [_told(ENTER, number, node), node, _told(LEAVE, number, node)]

    def visit_ListComp(self, node: ast.ListComp) -> ast.ListComp:
        return self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.SetComp:
        return self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.DictComp:
        return self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.GeneratorExp:
        return self._comprehension(node)

    def visit_Call(self, node: ast.Call) -> ast.Call:
        if _maps(node):
            number = self._number("map", node)
            function, items = node.func, node.args[1]
            # Whether it is Python's own is known where it is called.
            told = _call(GO_THROUGH_MAP, ast.Constant(number), function, items)
            node.args[1] = ast.copy_location(told, items)
        self.generic_visit(node)
        return node

    def _comprehension(self, node: Node) -> Node:
        for place, each in enumerate(node.generators):  # type: ignore[attr-defined]
            if not each.is_async and _calls(node):
                at_once = isinstance(node, ast.GeneratorExp) and not place
                self._go_through(each, "comprehension", each.iter, at_once=at_once)
        self.generic_visit(node)
        return node

    def _go_through(
        self,
        node: ast.For | ast.comprehension,
        kind: LoopKind,
        at: ast.stmt | ast.expr,
        *,
        at_once: bool = False,
    ) -> None:
        number = ast.Constant(self._number(kind, at))
        # Of a generator expression, as of a map, Python asks for the iterator where it is made.
        if at_once:
            told = _call(GO_THROUGH_MAP, number, ast.Constant(None), node.iter)
        else:
            told = _call(GO_THROUGH, number, node.iter)
        node.iter = ast.copy_location(told, node.iter)

    def _number(self, kind: LoopKind, at: ast.stmt | ast.expr) -> int:
        line = at.lineno
        code = self._lines[line - 1].strip() if line <= len(self._lines) else ""
        found = SourceLoop(kind, self._file, line, code[:MOST_LETTERS], at.end_lineno or line)
        self.loops.append(found)
        return self._first + len(self.loops) - 1


def _compiles(node: ast.expr) -> bool:
    """Tell whether a decorator is one of `COMPILERS`, with arguments or without."""
    while isinstance(node, ast.Call):
        node = node.func
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in COMPILERS


def _handed_to_compilers(tree: ast.Module) -> Iterator[str]:
    """Yield the names of functions that are compiled by a call, as in ``njit(function)``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _compiles(node):
            yield from (each.id for each in node.args if isinstance(each, ast.Name))


def _maps(node: ast.Call) -> bool:
    """Tell whether ``map(function, items)`` is called with a function that may be training."""
    if not isinstance(node.func, ast.Name) or node.func.id != "map" or len(node.args) < 2:
        return False
    function, items = node.args[:2]
    # ``map(int, line.split())`` stands where files are read, and is called a million times.
    of_python = isinstance(function, ast.Name) and hasattr(builtins, function.id)
    return not of_python and not any(isinstance(each, ast.Starred) for each in (function, items))


def _calls(node: ast.AST) -> bool:
    """Tell whether a loop calls or multiplies anything: one that does neither is no training."""
    return any(isinstance(each, ast.Call | ast.MatMult) for each in ast.walk(node))


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    """Return the call of a function if there is one of this name, else the last of its arguments.

    Args:
        name: One of the names that are put among Python's own.
        arguments: The number of the loop, and what it goes through where it goes through something;
            between them, of a map, the function of that name.
    """
    # By no name: a program may put its own in place of Python's, or take them all away.
    found = ast.parse(f"(lambda: 0).__builtins__.get({name!r}, lambda *given: given[-1])")
    expression = found.body[0]
    assert isinstance(expression, ast.Expr)
    for each in ast.walk(expression):  # the lines of the text that was parsed here
        for place in ("lineno", "end_lineno", "col_offset", "end_col_offset"):
            if hasattr(each, place):
                delattr(each, place)
    return ast.Call(expression.value, list(arguments), [])


def _told(name: str, number: int, at: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Expr(_call(name, ast.Constant(number))), at)
