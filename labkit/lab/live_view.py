"""How a lab is shown live here: the panel, or core widgets where its package is missing."""

from __future__ import annotations

from typing import Any

from labkit.lab.kernel import live_mode
from labkit.show.source import Player


def view_of(player: Player, *, presenter: bool = False) -> Any:
    """Return a widget with a player's controls; None where no live view works.

    Args:
        player: What the controls act on.
        presenter: Large type and keys, for a projector; core widgets have none.
    """
    mode = live_mode()
    if mode == "panel":
        from labkit.show.panel import Panel

        return Panel(player, presenter=presenter)
    if mode == "core":
        from labkit.show.core import CorePanel

        return CorePanel(player)
    return None
