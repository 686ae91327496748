"""Paging: how often the process had to wait for a page of its memory."""

from __future__ import annotations

from labkit.cause.paged_memory import disk_faults
from labkit.measure.clock.probe import Row
from labkit.record import Column


class PagingProbe:
    """Reads the waits for pages, as the operating system counts them."""

    columns = (Column("disk_faults", "pages waited for from a disk", "pages", "counter"),)

    def read(self, row: Row, place: int) -> None:
        row[place] = disk_faults()
