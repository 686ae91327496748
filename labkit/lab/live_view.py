"""How a lab is shown live here: the panel, or core widgets where its package is missing."""

from __future__ import annotations

import os
from typing import Any

from labkit.bench.machine import usable_cores
from labkit.lab.kernel import live_mode
from labkit.show.source import Player

POLL_SECONDS = 0.3
# Where one core is all there is, each question of the browser takes it from the loop on show.
SLOW_POLL_SECONDS = 1.0
# Binder tells its servers where they came from, in variables that begin so.
BINDER = "BINDER_"


def view_of(player: Player, *, presenter: bool = False) -> Any:
    """Return a widget with a player's controls; None where no live view works.

    Args:
        player: What the controls act on.
        presenter: Large type and keys, for a projector; core widgets have none.
    """
    mode = live_mode()
    if mode == "panel":
        from labkit.show.panel import Panel

        return Panel(player, poll_seconds=poll_seconds(), presenter=presenter)
    if mode == "core":
        from labkit.show.core import BEAT_SECONDS, CorePanel

        return CorePanel(player, poll_seconds=max(BEAT_SECONDS, poll_seconds()))
    return None


def poll_seconds() -> float:
    """Return how often the browser asks while a run goes on: more rarely on a small machine."""
    on_binder = any(name.startswith(BINDER) for name in os.environ)
    return SLOW_POLL_SECONDS if on_binder or usable_cores() < 2 else POLL_SECONDS
