"""What ``--help`` shows, where Python was told to forget docstrings (``PYTHONOPTIMIZE=2``)."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

import click


def restore_help(command: click.Command) -> None:
    """Give a command the text that stands in its source, if it has none.

    Where there is no source it stays without.
    """
    if not command.help and command.callback is not None:
        command.help = _docstring(command.callback)


def _docstring(function: Callable[..., Any]) -> str | None:
    try:
        (node,) = ast.parse(inspect.getsource(function)).body
    except (OSError, SyntaxError):
        return None
    return ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
