"""Ctrl-Z in a terminal: what a command has started stops with it, and goes on with it.

A worker has a session of its own, so that a terminal's keys do not reach it. The launcher and the
reapers are left alone: they sleep, and clear up if the command is killed while it is stopped.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType

import psutil

from labkit.bench.processes.start import HAS_REAPER
from labkit.cli.interrupt import handled

# A process may start another while it is told to stop.
ROUNDS = 3


@contextlib.contextmanager
def suspended_together(launcher: Callable[[], int | None]) -> Iterator[None]:
    """Let Ctrl-Z stop all that works below this process, too, while the context lasts.

    Args:
        launcher: Returns the launcher's process id, if there is one.
    """
    if not hasattr(signal, "SIGTSTP"):
        yield  # Windows
        return
    with handled([signal.SIGTSTP], partial(_suspend, launcher)):
        yield


def _suspend(launcher: Callable[[], int | None], number: int, _frame: FrameType | None) -> None:
    stopped: dict[int, psutil.Process] = {}
    guards = _guards(launcher()) if HAS_REAPER else set()
    for _ in range(ROUNDS):
        for each in psutil.Process().children(recursive=True):
            if each.pid not in stopped and each.pid not in guards:
                stopped[each.pid] = each
                _signal(each, signal.SIGSTOP)
    ours = signal.signal(number, signal.SIG_DFL)
    # Not SIGSTOP: where no shell is there that could wake it, the system passes this over.
    os.kill(os.getpid(), number)
    signal.signal(number, ours)
    for each in stopped.values():
        _signal(each, signal.SIGCONT)


def _guards(launcher: int | None) -> set[int]:
    """Return the launcher and the reapers: our own children, and those of the launcher."""
    ours = {each.pid for each in psutil.Process().children()}
    if launcher in ours:
        with contextlib.suppress(psutil.Error):
            ours |= {each.pid for each in psutil.Process(launcher).children()}
    return ours


def _signal(process: psutil.Process, number: int) -> None:
    with contextlib.suppress(psutil.Error, OSError):
        process.send_signal(number)
