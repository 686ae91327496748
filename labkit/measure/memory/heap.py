"""The heap: bytes in use and free chunks in the C library's allocator.

TensorFlow's graphs, kernels, sessions and small tensors live there on a CPU. Counted by glibc
itself (``mallinfo2``, glibc 2.33 and later); other systems have no such figures. Python's own small
objects are not in it: they have arenas of their own, which ``sys.getallocatedblocks`` counts.
"""

from __future__ import annotations

import ctypes
from typing import Any

from labkit.measure.clock.probe import Row
from labkit.record import Column

FUNCTION = "mallinfo2"


class _Figures(ctypes.Structure):
    """``struct mallinfo2`` of glibc's ``malloc.h``."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                     "uordblks", "fordblks", "keepcost")
    ]  # fmt: skip


class Heap:
    """Reads the bytes in use; 5 to 150 us, the more the more free chunks there are.

    ``missing`` names the function where the C library has none.
    """

    def __init__(self) -> None:
        self._figures = _figures_function()
        self.missing = [] if self._figures is not None else [FUNCTION]

    def bytes_in_use(self) -> float | None:
        """Return the bytes of all blocks in use, large ones that have a mapping of their own too.

        None where the C library does not count them.
        """
        if self._figures is None:
            return None
        figures = self._figures()
        return float(figures.uordblks + figures.hblkhd)

    def bytes_from_system(self) -> float | None:
        """Return the bytes that it has from the system, in use or not.

        None where the C library does not count them.
        """
        if self._figures is None:
            return None
        figures = self._figures()
        return float(figures.arena + figures.hblkhd)

    def trim(self) -> None:
        """Hand free memory back to the operating system, where the C library can."""
        if self._figures is not None:
            ctypes.CDLL(None).malloc_trim(0)  # glibc has had it for longer than mallinfo2


class HolesProbe(Heap):
    """Counts free chunks after every step, outside its clock.

    A reading walks the chunks, so it costs more the more there are: 20 us for 300, 150 us for
    3,000. That is why only a cause whose steps take milliseconds asks for it.
    """

    columns = (Column("holes", "free chunks in the allocator", "chunks", "machine"),)

    def read(self, row: Row, place: int) -> None:
        row[place] = float("nan") if self._figures is None else float(self._figures().ordblks)


def _figures_function() -> Any:
    """Return glibc's ``mallinfo2``; None where the C library has none."""
    try:
        found = getattr(ctypes.CDLL(None), FUNCTION)
    except (AttributeError, OSError, TypeError):  # musl and macOS, a static Python, Windows
        return None
    found.restype = _Figures
    return found
