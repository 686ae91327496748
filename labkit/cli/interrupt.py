"""Ctrl-C in a terminal: one sentence and exit status 130, however early it comes.

What a signal does while there is a run is in `labkit.cli.bench`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any

# Ctrl-C, the polite kill (also of timeout, systemd and CI), and a terminal that is closed.
ENDING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
# As a shell tells of a program that a signal has ended.
SIGNALLED = 128
INTERRUPTED = SIGNALLED + signal.SIGINT
SENTENCE = "labkit: interrupted by Ctrl-C; nothing more was done."


@contextlib.contextmanager
def leaving_at_once(clear_up: Callable[[], None]) -> Iterator[None]:
    """Let a signal end the process at once, Ctrl-C with a sentence, while the context lasts.

    Not by an exception: raised in the middle of an import it becomes a traceback, or is turned into
    another error.

    Args:
        clear_up: What is done before.
    """

    def leave(number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT:
            with contextlib.suppress(OSError):
                os.write(2, f"\n{SENTENCE}\n".encode())
        try:
            clear_up()
        finally:
            os._exit(SIGNALLED + number)

    with handled(ENDING, leave), _unblocked(ENDING):
        yield


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Have a signal wait while the context lasts: half a file would be left, and nobody's."""
    came: list[int] = []
    with handled(ENDING, lambda number, _: came.append(number)):
        yield
    for number in came[:1]:
        signal.raise_signal(number)


@contextlib.contextmanager
def _unblocked(numbers: Iterable[int]) -> Iterator[None]:
    """Let signals come while the context lasts.

    A daemon that waits for its signals blocks them, and what it starts takes that over: of what is
    blocked, unlike what is ignored, nobody has said that it shall do nothing.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield  # Windows
        return
    before = signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def handled(
    numbers: Iterable[int], handler: Callable[[int, FrameType | None], Any]
) -> Iterator[None]:
    """Call a handler for some signals as long as the context lasts.

    Args:
        numbers: Of the signals. One that is ignored stays so: whoever starts a command in the
            background, or with nohup, has said that it shall go on.
        handler: What is called.
    """
    with contextlib.ExitStack() as undo:
        if threading.current_thread() is threading.main_thread():
            for number in numbers:
                before = signal.getsignal(number)
                if before not in (signal.SIG_IGN, None):
                    signal.signal(number, handler)
                    undo.callback(signal.signal, number, before)
        yield
