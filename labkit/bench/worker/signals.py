"""Signals are the loop's: no thread that labkit starts beside it may take one that it waits for.

The system gives a signal to any thread that does not block it. A thread takes over from the one
that starts it what that blocks.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator


def block_signals() -> None:
    """Have this thread take none."""
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


@contextlib.contextmanager
def blocked_signals() -> Iterator[None]:
    """Have threads that are started meanwhile, such as those of NumPy's libraries, take none."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
