"""A pipe that is read as far as something comes within some time, on every system."""

from __future__ import annotations

import os
import queue
import selectors
import threading
from typing import Protocol

# Windows can wait for a socket so, and for no pipe.
CAN_SELECT = os.name != "nt"
PIECE_BYTES = 65536


class Incoming(Protocol):
    """The end of a pipe that is read from."""

    def read(self, seconds: float) -> bytes | None:
        """Return what came, waiting at most so long; None if nothing did, no bytes at the end."""

    def close(self) -> None:
        """Let the descriptor go; it is not read from again."""


def incoming(descriptor: int) -> Incoming:
    """Return the reader of a pipe's end; the descriptor is its own from now on."""
    return SelectedPipe(descriptor) if CAN_SELECT else ReadAheadPipe(descriptor)


class SelectedPipe:
    """Asks the system to be woken when something comes.

    Args:
        descriptor: Of the pipe's end.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._selector = selectors.DefaultSelector()
        self._selector.register(descriptor, selectors.EVENT_READ)

    def read(self, seconds: float) -> bytes | None:
        if not self._selector.select(seconds):
            return None
        return os.read(self._descriptor, PIECE_BYTES)

    def close(self) -> None:
        self._selector.close()
        os.close(self._descriptor)


class ReadAheadPipe:
    """Reads on a thread of its own, which ends when nobody can write any more.

    Args:
        descriptor: Of the pipe's end.
    """

    def __init__(self, descriptor: int) -> None:
        self._pieces: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._thread = threading.Thread(
            target=self._read_all, args=(descriptor,), name="labkit-words", daemon=True
        )
        self._thread.start()

    def _read_all(self, descriptor: int) -> None:
        # The thread closes it: closed elsewhere while it waits, it would read what got its number.
        try:
            while piece := os.read(descriptor, PIECE_BYTES):
                self._pieces.put(piece)
        except OSError:  # how Windows may tell that the other end is gone
            pass
        finally:
            os.close(descriptor)
            self._pieces.put(b"")

    def read(self, seconds: float) -> bytes | None:
        try:
            return self._pieces.get(timeout=seconds)
        except queue.Empty:
            return None

    def close(self) -> None:
        """Leave the rest to the thread: it ends with the worker."""
