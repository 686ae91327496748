"""The one bench of this kernel, made when it is first asked for."""

from __future__ import annotations

import atexit
import os
from functools import cache

from labkit.bench.bench import Bench
from labkit.bench.session import Session
from labkit.record import ChoiceError

MODES = ("panel", "core", "blocking")


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
    """Return how labs are shown live: ``panel``, ``core`` widgets, or ``blocking`` cells.

    The variable ``LABKIT_LIVE`` may force one.

    Raises:
        ChoiceError: If it names none of these.
    """
    forced = os.environ.get("LABKIT_LIVE")
    if forced is not None:
        if forced not in MODES:
            raise ChoiceError("live mode (LABKIT_LIVE)", forced, MODES)
        return forced
    for mode, package in (("panel", "anywidget"), ("core", "ipywidgets")):
        if _installed(package):
            return mode
    return "blocking"


def _installed(package: str) -> bool:
    from importlib.util import find_spec

    return find_spec(package) is not None
