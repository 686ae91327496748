"""The network of this machine to itself: bytes that passed its loopback interface during a step.

These are the machine's bytes, not the process's: Linux counts by interface, and a page that watches
the run, or any other program that talks to itself, is in the count. So it is a ceiling for what the
loop sent, close to it where the loop sends much, and read from the machine rather than worked out.
"""

from __future__ import annotations

import os

from labkit.measure.clock.probe import Row
from labkit.record import Column

COUNTERS = "/proc/net/dev"
INTERFACE = b" lo:"
MOST_BYTES = 65_536


class NetworkProbe:
    """Counts the bytes each step sends over the loopback interface; NaN where nobody counts them.

    Args:
        path: The kernel's counters, one line an interface; received bytes are the first number.
            Whatever is sent on loopback is received on it, so one of the two is enough.
    """

    columns = (
        Column("loopback_bytes", "bytes over the machine's loopback interface", "bytes", "counter"),
    )

    def __init__(self, path: str = COUNTERS) -> None:
        self._handle: int | None = None
        self._began = float("nan")
        try:
            self._handle = os.open(path, os.O_RDONLY)
        except OSError:  # not Linux, or hidden from us
            return
        self.begin()

    def bytes_so_far(self) -> float:
        """Return the bytes since the machine started; NaN where they are not counted."""
        if self._handle is None:
            return float("nan")
        lines = os.pread(self._handle, MOST_BYTES, 0)
        at = lines.find(INTERFACE)
        return float(lines[at + len(INTERFACE) :].split(None, 1)[0]) if at >= 0 else float("nan")

    def begin(self) -> None:
        self._began = self.bytes_so_far()

    def read(self, row: Row, place: int) -> None:
        row[place] = self.bytes_so_far() - self._began

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
