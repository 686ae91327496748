"""What goes to a browser: scripts and style sheets, and messages whose words can be shown.

The files lie beside the Python that sends them.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

from labkit.record.plain_text import plain_text


def browser_files(*names: str) -> str:
    """Return files of this folder as one text.

    Args:
        names: In their order; a script may use what the ones before it declare.
    """
    folder = resources.files("labkit.show")
    return "\n".join(folder.joinpath(name).read_text("utf-8") for name in names)


def sendable(value: Any) -> Any:
    """Return plain values, with all text in them as `plain_text`."""
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, dict):
        return {sendable(name): sendable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(sendable, value))
    return value
