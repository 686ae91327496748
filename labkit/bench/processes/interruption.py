"""What comes to a kernel from outside at any moment: a signal, or a fork of it.

A run that is only half started must not be left to nobody, nor its ends to a pool of processes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back what a signal does in Python while the context lasts; it is done at its end.

    An interrupt raises there, and so does the alarm of a test that takes too long. Off the main
    thread, which alone hears of signals, nothing is held back.
    """
    held: list[Callable[[], object]] = []
    before: dict[signal.Signals, Callable[..., Any]] = {}
    if threading.current_thread() is threading.main_thread():
        for number in signal.Signals:
            handler = signal.getsignal(number)
            if callable(handler):
                before[number] = handler

    def hold(number: int, frame: Any) -> None:
        held.append(lambda: before[signal.Signals(number)](number, frame))

    for number in before:
        signal.signal(number, hold)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for handle in held:
            handle()


def in_children(leave_to_parent: Callable[[], object]) -> None:
    """Have every process that is forked from this one let go of what belongs here.

    Args:
        leave_to_parent: Does so: a method, which is not called once its object is gone.
    """
    if not hasattr(os, "register_at_fork"):
        return  # Windows
    owned = weakref.WeakMethod(leave_to_parent)

    def leave() -> None:
        if (found := owned()) is not None:
            with contextlib.suppress(OSError):
                found()

    os.register_at_fork(after_in_child=leave)
