"""Holes: the free chunks that the C library's allocator keeps between blocks in use.

TensorFlow's graphs, sessions and small tensors live there on a CPU. Counted by glibc itself
(``mallinfo2``, glibc 2.33 and later); other systems have no such figure.
"""

from __future__ import annotations

import ctypes
from typing import Any

from labkit.measure.hooks import Hooks
from labkit.measure.probe import Row
from labkit.record import Column

FUNCTION = "mallinfo2"


class _Figures(ctypes.Structure):
    """``struct mallinfo2`` of glibc's ``malloc.h``."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                     "uordblks", "fordblks", "keepcost")
    ]  # fmt: skip


class HolesProbe:
    """Counts free chunks after every step, outside its clock.

    A reading walks the chunks, so it costs more the more there are: 20 us for 300, 150 us for
    3,000. That is why only a cause whose steps take milliseconds asks for it.

    ``missing`` names the function where the C library has none.
    """

    columns = (Column("holes", "free chunks in the allocator", "chunks", "machine"),)

    def __init__(self) -> None:
        self._figures = figures_function()
        self.missing = [] if self._figures is not None else [FUNCTION]

    def read(self, row: Row, place: int) -> None:
        row[place] = float("nan") if self._figures is None else float(self._figures().ordblks)

    def close(self) -> None:
        """Nothing is held."""


def figures_function() -> Any:
    """Return glibc's ``mallinfo2``; None where the C library has none."""
    try:
        found = getattr(ctypes.CDLL(None), FUNCTION)
    except (AttributeError, OSError, TypeError):  # musl and macOS, a static Python, Windows
        return None
    found.restype = _Figures
    return found


def probe(hooks: Hooks) -> HolesProbe:
    """Return the probe; the bench calls it for a cause that asks for ``"holes"``."""
    return HolesProbe()
