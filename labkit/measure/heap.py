"""The heap: bytes in use in the C library's allocator, where graphs, kernels and arrays live.

Counted by glibc itself (``mallinfo2``, glibc 2.33 and later); other systems have no such figure.
Python's own small objects are not in it: they have arenas of their own, which
``sys.getallocatedblocks`` counts.
"""

from __future__ import annotations

import ctypes

from labkit.measure.holes import FUNCTION, figures_function


class Heap:
    """Reads the bytes in use; 5 to 150 us, the more the more free chunks there are.

    ``missing`` names the function where the C library has none.
    """

    def __init__(self) -> None:
        self._figures = figures_function()
        self.missing = [] if self._figures is not None else [FUNCTION]

    def bytes_in_use(self) -> float | None:
        """Return the bytes of all blocks in use, large ones that have a mapping of their own too.

        None where the C library does not count them.
        """
        if self._figures is None:
            return None
        figures = self._figures()
        return float(figures.uordblks + figures.hblkhd)

    def trim(self) -> None:
        """Hand free memory back to the operating system, where the C library can."""
        if self._figures is not None:
            ctypes.CDLL(None).malloc_trim(0)  # glibc has had it for longer than mallinfo2
