"""Pages of memory apart: of a process alone, or of one array alone."""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Callable
from typing import Any
from weakref import WeakMethod

import numpy as np
from numpy.typing import NDArray

# Put in the place of what is mapped there; Python's mmap does not name it. (Linux and macOS.)
MAP_FIXED = 0x10
COPIED_ROWS = 4096  # at a time: a million rows need not be in memory twice


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


def on_own_pages(
    read: Callable[[int, int], NDArray[np.float64]], rows: int, columns: int
) -> NDArray[np.float64]:
    """Read rows into an array whose pages go back to the system as soon as nobody has it.

    Arrays of many runs that are kept and let go in turn would leave holes in the heap, where it
    takes those of some megabytes, too (``M_MMAP_THRESHOLD`` in ``man 3 mallopt``).

    Args:
        read: Returns the rows from a first one to that before a last one.
        rows: How many there are.
        columns: How many numbers each has.
    """
    if not rows * columns:
        return np.empty((rows, columns))
    size = 8 * rows * columns
    if hasattr(mmap, "MAP_PRIVATE"):
        pages = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    else:  # Windows
        pages = mmap.mmap(-1, size)
    made = np.frombuffer(pages, np.float64).reshape(rows, columns)
    for start in range(0, rows, COPIED_ROWS):
        end = min(start + COPIED_ROWS, rows)
        made[start:end] = read(start, end)
    return made


def call_in_child(method: Callable[[], object]) -> None:
    """Have a method called in every process that this one forks, for as long as its owner lives."""
    alive = WeakMethod(method)

    def call() -> None:
        found = alive()
        if found is not None:
            found()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=call)
