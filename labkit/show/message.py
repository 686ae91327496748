"""What is sent to a view in the browser: JSON whose words can be shown and encoded."""

from __future__ import annotations

from typing import Any

from labkit.record.plain_text import plain_text


def sendable(value: Any) -> Any:
    """Return plain values, with all text in them as `plain_text`."""
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, dict):
        return {sendable(name): sendable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(sendable, value))
    return value
