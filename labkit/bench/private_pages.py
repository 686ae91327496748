"""Pages of memory that a forked process shares with its parent, made its own."""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Callable
from typing import Any
from weakref import WeakMethod

import numpy as np

# Put in the place of what is mapped there; Python's mmap does not name it. (Linux and macOS.)
MAP_FIXED = 0x10


def make_private(*mapped: memoryview[Any]) -> None:
    """Let what this process writes to some maps from now on reach nobody, and no file.

    Their pages are empty afterwards. Where the system refuses that, they stay as they are.

    Args:
        mapped: Each the whole of a map.
    """
    system = ctypes.CDLL(None).mmap
    system.restype = ctypes.c_void_p
    system.argtypes = [
        ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long,
    ]  # fmt: skip
    kind = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_FIXED
    for each in mapped:
        place = np.frombuffer(each, np.uint8).ctypes.data
        system(place, each.nbytes, mmap.PROT_READ | mmap.PROT_WRITE, kind, -1, 0)


def call_in_child(method: Callable[[], object]) -> None:
    """Have a method called in every process that this one forks, for as long as its owner lives."""
    alive = WeakMethod(method)

    def call() -> None:
        found = alive()
        if found is not None:
            found()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=call)
