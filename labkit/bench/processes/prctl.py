"""What Linux lets a process ask about its relatives (``man 2 prctl``); elsewhere a no-op."""

from __future__ import annotations

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
PR_SET_CHILD_SUBREAPER = 36


def prctl(option: int, value: int) -> bool:
    """Return whether the system granted one option; never raises."""
    if sys.platform != "linux":
        return False
    number = ctypes.c_ulong
    granted = ctypes.CDLL(None).prctl(option, number(value), number(0), number(0), number(0))
    return int(granted) == 0


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
