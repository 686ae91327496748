"""Ctrl-C in a terminal: one sentence and exit status 130, however early it comes."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

INTERRUPTED = 130
SENTENCE = "labkit: interrupted by Ctrl-C; nothing more was done."


@contextlib.contextmanager
def leaving_at_once() -> Iterator[None]:
    """Let Ctrl-C end the process at once with a sentence, for as long as the context lasts.

    Not by an exception: raised in the middle of an import it becomes a traceback, or is turned into
    another error.
    """
    with _handled(_leave):
        yield


@contextlib.contextmanager
def raising() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt while the context lasts: there is a run to be stopped."""
    with _handled(signal.default_int_handler):
        yield


@contextlib.contextmanager
def _handled(handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    # Who starts a command in the background has its interrupts ignored, and it must stay so.
    if before == signal.SIG_IGN or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave(_number: int, _frame: FrameType | None) -> None:
    with contextlib.suppress(OSError):
        os.write(2, f"\n{SENTENCE}\n".encode())
    os._exit(INTERRUPTED)
