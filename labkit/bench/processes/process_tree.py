"""The tree of processes below this one, and how to end all of it.

What Linux lets a process ask about its relatives (``man 2 prctl``) does nothing elsewhere.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable

import psutil

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PAUSE_SECONDS = 0.002
LONGEST_PAUSE_SECONDS = 0.25
# A resource tracker (Python's `multiprocessing.resource_tracker`, joblib's) ends when all whose
# shared memory and semaphores it knows have ended, and then removes what they have left.
TRACKER, TRACKER_SECONDS = "resource_tracker", 1.0
# Names the run that a process was started for, in all that it starts itself.
MARK_VARIABLE = "LABKIT_RUN_MARK"


def prctl(option: int, value: int) -> bool:
    """Return whether the system granted one option; never raises."""
    if sys.platform != "linux":
        return False
    number = ctypes.c_ulong
    granted = ctypes.CDLL(None).prctl(option, number(value), number(0), number(0), number(0))
    return int(granted) == 0


def hear_signals() -> None:
    """Let every signal come, whatever was blocked by whoever started this process.

    A daemon that waits for its signals blocks them, and all that it starts takes that over: who
    never hears that a child has ended, or that it is to end itself, does neither.
    """
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def become_subreaper() -> None:
    """Become the parent of every descendant whose own parent has ended, in place of process 1."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def end_with_parent(signal_number: int, parent: int) -> None:
    """Have the system send us a signal when our parent ends.

    Only for a parent that has one thread: what counts is the end of the thread that forked us.

    Args:
        signal_number: Which signal.
        parent: The process that must still be our parent; if it is not, we end here and now.
    """
    if prctl(PR_SET_PDEATHSIG, signal_number) and os.getppid() != parent:
        os._exit(1)


def end_tree(keep: Callable[[int], bool] = lambda _: False) -> dict[int, int]:
    """End every process below this one; return when the system knows of none that it may end.

    Who has become another user, as after ``sudo``, is not ours to end, nor to wait for.

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
    others: set[psutil.Process] = set()
    while has_children() and (
        doomed := [
            child
            for child in psutil.Process().children()
            if child not in others and not keep(child.pid)
        ]
    ):
        for child in doomed:
            if not _end(child):
                others.add(child)
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


def end_marked(mark: str) -> None:
    """End every process with a mark among the variables it was started with.

    Who leaves a session and a group still has them, unless it was started without.

    Args:
        mark: As in ``MARK_VARIABLE=mark``.
    """
    killed: set[psutil.Process] = set()
    # What forked while we looked is seen the next time.
    while doomed := {each for each in psutil.process_iter() if _mark(each) == mark} - killed:
        for process in doomed:
            with contextlib.suppress(psutil.Error, OSError):
                process.kill()
        killed |= doomed


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


def has_children() -> bool:
    """Ask without looking through all processes of the machine, as the next question does."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def work_of_tree() -> tuple[int, float]:
    """Return a number that changes as long as any process below this one works.

    It has worked where its processor time has risen, and does where it runs or waits for a disk.
    """
    at_work, seconds = 0, 0.0
    for each in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error, OSError):
            times = each.cpu_times()
            seconds += times.user + times.system
            at_work += each.status() in (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP)
    return (time.monotonic_ns() if at_work else 0), seconds


def programs_of_tree() -> list[str]:
    """Return what runs below this process, as ``name (process id)``, but for resource trackers."""
    found = []
    for each in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error, OSError):
            if each.status() != psutil.STATUS_ZOMBIE and not _is_tracker(each):
                found.append(f"{each.name()} ({each.pid})")
    return found


def _mark(process: psutil.Process) -> str | None:
    with contextlib.suppress(psutil.Error, OSError):  # that of another account, or just gone
        return process.environ().get(MARK_VARIABLE)
    return None


def _let_trackers_end(family: list[psutil.Process]) -> None:
    """End all but the resource trackers of a family, and give those time to do their work."""
    trackers = [process for process in family if _is_tracker(process)]
    if not trackers:
        return
    for process in family:
        if process not in trackers:
            with contextlib.suppress(psutil.Error, OSError):
                process.kill()
    psutil.wait_procs(trackers, TRACKER_SECONDS)


def _is_tracker(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error, OSError):
        return any(TRACKER in word for word in process.cmdline())
    return False


def _end(top: psutil.Process) -> bool:
    """End a process and all below it, as far as we may; return whether we may end it itself."""
    family = [top]
    with contextlib.suppress(psutil.Error, OSError):
        family += top.children(recursive=True)
    _let_trackers_end(family)
    groups = set()
    for process in family:
        with contextlib.suppress(OSError):
            groups.add(os.getpgid(process.pid))
    for group in groups - {os.getpgid(0)}:
        with contextlib.suppress(OSError):
            os.killpg(group, signal.SIGKILL)
    for process in family[1:]:
        with contextlib.suppress(psutil.Error, OSError):
            process.kill()
    try:
        top.kill()
    except psutil.AccessDenied:
        return False
    except (psutil.Error, OSError):
        pass  # it has ended
    return True
