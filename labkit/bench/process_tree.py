"""The tree of processes below this one, and how to end all of it."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable

import psutil

PAUSE_SECONDS = 0.002
LONGEST_PAUSE_SECONDS = 0.25


def end_tree(keep: Callable[[int], bool] = lambda _: False) -> dict[int, int]:
    """End every process below this one; return when the system knows of none.

    For a subreaper this is all that was ever started from here: whoever loses its parent becomes
    our child. Whole process groups are signalled first, because the system does that in one
    stroke: of a group that keeps forking none gets away.

    Args:
        keep: Tells of a child of ours whether it shall stay, with all that is below it.

    Returns:
        The exit statuses of our children that ended meanwhile, by process id.
    """
    ended = reap()
    pause = PAUSE_SECONDS
    while _has_children() and (
        doomed := [child for child in psutil.Process().children() if not keep(child.pid)]
    ):
        for child in doomed:
            _end(child)
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)  # one that waits for a disk may take long
        ended |= reap()
    return ended


def end_session(leader: psutil.Process) -> None:
    """End every process of a session, as far as it has not left it (``man 2 setsid``).

    Args:
        leader: Who began it, perhaps ended by now.
    """
    if psutil.pid_exists(leader.pid) and not leader.is_running():
        return  # its number is somebody else's by now
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if os.getsid(process.pid) == leader.pid:
                process.kill()


def reap() -> dict[int, int]:
    """Take in every child that has ended; return their exit statuses by process id."""
    ended = {}
    with contextlib.suppress(ChildProcessError):
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                break
            ended[process] = os.waitstatus_to_exitcode(status)
    return ended


def _has_children() -> bool:
    """Ask without looking through all processes of the machine, as the next question does."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _end(top: psutil.Process) -> None:
    family = [top]
    with contextlib.suppress(psutil.Error, OSError):
        family += top.children(recursive=True)
    groups = set()
    for process in family:
        with contextlib.suppress(OSError):
            groups.add(os.getpgid(process.pid))
    for group in groups - {os.getpgid(0)}:
        with contextlib.suppress(OSError):
            os.killpg(group, signal.SIGKILL)
    for process in family:
        with contextlib.suppress(psutil.Error, OSError):
            process.kill()
