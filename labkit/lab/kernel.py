"""This kernel: its one bench, made when it is first asked for, and how its labs are shown live."""

from __future__ import annotations

import atexit
import os
from functools import cache
from typing import Any

from labkit.bench.bench import Bench
from labkit.bench.machine import usable_cores
from labkit.bench.session import Session
from labkit.record import ChoiceError
from labkit.show.live.source import Player

MODES = ("panel", "blocking")
POLL_SECONDS = 0.3
# Where one core is all there is, each question of the browser takes it from the loop on show.
SLOW_POLL_SECONDS = 1.0
# Binder tells its servers where they came from, in variables that begin so.
BINDER = "BINDER_"


def bench() -> Bench:
    """Return this kernel's bench; a process that is forked from it gets one of its own.

    One a kernel, because the launcher it keeps warm holds TensorFlow in memory. The variable
    ``LABKIT_START`` may force ``plain`` or ``fork``.
    """
    return _bench_of(os.getpid())


@cache
def _bench_of(_process_id: int) -> Bench:
    made = Bench(os.environ.get("LABKIT_START", "auto"))
    atexit.register(made.close)
    return made


def runs() -> tuple[Session, ...]:
    """Return every run of this kernel, oldest first: a reloaded page finds its run here."""
    return bench().sessions


def live_mode() -> str:
    """Return how labs are shown live: as a ``panel``, or by ``blocking`` cells.

    The variable ``LABKIT_LIVE`` may force one.

    Raises:
        ChoiceError: If it names none of these.
    """
    forced = os.environ.get("LABKIT_LIVE")
    if forced is not None:
        if forced not in MODES:
            raise ChoiceError("live mode (LABKIT_LIVE)", forced, MODES)
        return forced
    return "panel" if _installed("anywidget") else "blocking"


def _installed(package: str) -> bool:
    from importlib.util import find_spec

    return find_spec(package) is not None


def view_of(player: Player, *, presenter: bool = False) -> Any:
    """Return a widget with a player's controls; None where no live view works.

    Args:
        player: What the controls act on.
        presenter: Large type and keys, for a projector.
    """
    if live_mode() != "panel":
        return None
    from labkit.show.live.panel import Panel

    return Panel(player, poll_seconds=poll_seconds(), presenter=presenter)


def poll_seconds() -> float:
    """Return how often the browser asks while a run goes on: more rarely on a small machine."""
    on_binder = any(name.startswith(BINDER) for name in os.environ)
    return SLOW_POLL_SECONDS if on_binder or usable_cores() < 2 else POLL_SECONDS
