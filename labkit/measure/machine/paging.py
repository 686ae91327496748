"""Paging: how often the process touched memory that the system had not handed it yet.

A minor fault is served without a disk: the operating system maps one more page. Memory that is
given back and asked for again at every step shows there. A major one waits for a page from a disk.
"""

from __future__ import annotations

import sys

from labkit.cause.paged_memory import disk_faults
from labkit.measure.clock.probe import Row
from labkit.record import Column

if sys.platform != "win32":  # bound now: a program may put a module of its own in its place
    import resource


class FaultsProbe:
    """Counts the minor page faults of each step, in all threads; 0.5 us a reading."""

    columns = (Column("page_faults", "page faults in the step", "faults", "machine"),)

    def __init__(self) -> None:
        self._began = 0.0

    def begin(self) -> None:
        self._began = _faults()

    def read(self, row: Row, place: int) -> None:
        row[place] = _faults() - self._began


def _faults() -> float:
    """Return the faults so far; not measured (nan) where there is no getrusage."""
    if sys.platform == "win32":
        return float("nan")
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)


class PagingProbe:
    """Reads how often the process waited for a page, as the operating system counts it."""

    columns = (Column("disk_faults", "pages waited for from a disk", "pages", "counter"),)

    def read(self, row: Row, place: int) -> None:
        row[place] = disk_faults()
