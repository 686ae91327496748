"""The address space of this process: how much memory it may ask the system for. Linux only."""

from __future__ import annotations

import mmap
import sys
from pathlib import Path

from labkit.record import LabkitError

PAGES_FILE = Path("/proc/self/statm")


def leave_room(room_bytes: int) -> None:
    """Let this process take so much more memory than it has now, and no more.

    What asks for more is refused by the system: a ``MemoryError``, or whatever the asker makes of
    it.

    Args:
        room_bytes: How much more.

    Raises:
        LabkitError: If this is not Linux.
    """
    if not PAGES_FILE.exists():
        raise LabkitError(
            f"This system ({sys.platform}) holds no single process to a limit of memory; run this "
            "loop on Linux, for example on Google Colab."
        )
    import resource  # not there on Windows

    now = int(PAGES_FILE.read_text("ascii").split()[0]) * mmap.PAGESIZE
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (now + room_bytes, hard))
