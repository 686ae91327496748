"""Paging: pages that were put out of memory, and how often the process had to wait for one.

Linux only in part: the count of waits is POSIX, putting pages out (``MADV_PAGEOUT``, since Linux
5.4) is not; where it does nothing, `can_put_out` says so.
"""

from __future__ import annotations

import mmap
import sys

from labkit.measure.hooks import Hooks
from labkit.measure.probe import Row
from labkit.record import Column

PAGEOUT = 21  # MADV_PAGEOUT, which Python's mmap does not name


def disk_faults() -> float:
    """Return how often this process waited for a page to come from a disk; NaN on Windows."""
    if sys.platform == "win32":
        return float("nan")
    import resource

    return float(resource.getrusage(resource.RUSAGE_SELF).ru_majflt)


def can_put_out(memory: mmap.mmap, size: int) -> bool:
    """Try it: put the beginning out of memory, and see that it must be fetched again.

    Args:
        memory: Whose pages are on a disk or in swap space, or on their way there.
        size: How many bytes are put out together: as many as were written together, because Linux
            may keep those as one piece, and puts out whole pieces only.
    """
    try:
        memory[0]
        memory.madvise(PAGEOUT, 0, size)
    except (OSError, AttributeError):  # an old Linux, or none
        return False
    before = disk_faults()
    memory[0]
    return disk_faults() > before


class PagingProbe:
    """Reads the waits for pages, as the operating system counts them."""

    columns = (Column("disk_faults", "pages waited for from a disk", "pages", "counter"),)

    def read(self, row: Row, place: int) -> None:
        row[place] = disk_faults()

    def close(self) -> None:
        """Nothing is held."""


def probe(_hooks: Hooks) -> PagingProbe:
    """Return the probe for a worker; costs about 1 us a step."""
    return PagingProbe()
