"""The address space of this process: how much memory it may ask the system for. Linux only."""

from __future__ import annotations

import mmap
from pathlib import Path


def leave_room(room_bytes: int) -> None:
    """Let this process take so much more memory than it has now, and no more.

    What asks for more is refused by the system: a ``MemoryError``, or whatever the asker makes of
    it.

    Args:
        room_bytes: How much more.
    """
    import resource  # not there on Windows

    now = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * mmap.PAGESIZE
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (now + room_bytes, hard))
