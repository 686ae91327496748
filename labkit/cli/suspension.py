"""Ctrl-Z in a terminal: what a command has started stops with it, and goes on with it.

A worker has a session of its own, so that a terminal's keys do not reach it.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from types import FrameType

import psutil

from labkit.cli.interrupt import handled

# A process may start another while it is told to stop.
ROUNDS = 3


@contextlib.contextmanager
def suspended_together() -> Iterator[None]:
    """Let Ctrl-Z stop all processes below this one, too, while the context lasts."""
    if not hasattr(signal, "SIGTSTP"):
        yield  # Windows
        return
    with handled([signal.SIGTSTP], _suspend):
        yield


def _suspend(number: int, _frame: FrameType | None) -> None:
    stopped: dict[int, psutil.Process] = {}
    for _ in range(ROUNDS):
        for each in psutil.Process().children(recursive=True):
            if each.pid not in stopped:
                stopped[each.pid] = each
                _signal(each, signal.SIGSTOP)
    ours = signal.signal(number, signal.SIG_DFL)
    # Not SIGSTOP: where no shell is there that could wake it, the system passes this over.
    os.kill(os.getpid(), number)
    signal.signal(number, ours)
    for each in stopped.values():
        _signal(each, signal.SIGCONT)


def _signal(process: psutil.Process, number: int) -> None:
    with contextlib.suppress(psutil.Error, OSError):
        process.send_signal(number)
