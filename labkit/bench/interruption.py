"""What comes to a kernel from outside at any moment: an interrupt, or a fork of it.

A run that is only half started must not be left to nobody, nor its ends to a pool of processes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any, Protocol


class Belonging(Protocol):
    """What belongs to the process that made it."""

    def leave_to_parent(self) -> None:
        """Let go of everything, in a process that was forked from that one."""


@contextlib.contextmanager
def uninterrupted() -> Iterator[list[Callable[[], object]]]:
    """Hold interrupts back while the context lasts.

    Yields:
        A list that is empty, or has what an interrupt would have done; call it afterwards. Off the
        main thread, which alone is interrupted, it stays empty.
    """
    held: list[Callable[[], object]] = []
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield held
        return
    handler: Callable[..., Any] = before

    def hold(number: int, frame: Any) -> None:
        held[:] = [lambda: handler(number, frame)]

    signal.signal(signal.SIGINT, hold)
    try:
        yield held
    finally:
        signal.signal(signal.SIGINT, before)


def leave_to_parent_in_children(owner: Belonging) -> None:
    """Have every process that is forked from this one let go of what belongs here."""
    if not hasattr(os, "register_at_fork"):
        return  # Windows
    owned = weakref.ref(owner)

    def leave() -> None:
        if (found := owned()) is not None:
            with contextlib.suppress(OSError):
                found.leave_to_parent()

    os.register_at_fork(after_in_child=leave)
