"""What ``--help`` shows, where Python was told to forget docstrings (``PYTHONOPTIMIZE=2``)."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

import click


def restore_help(group: click.Group) -> None:
    """Give a command and those within it the text that stands in their source, if they have none.

    Args:
        group: Whose commands are all there. Where there is no source they stay without.
    """
    for command in (group, *group.commands.values()):
        if not command.help and command.callback is not None:
            command.help = _docstring(command.callback)


def _docstring(function: Callable[..., Any]) -> str | None:
    try:
        (node,) = ast.parse(inspect.getsource(function)).body
    except (OSError, SyntaxError):
        return None
    return ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
