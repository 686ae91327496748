"""The limits of a run, and how much memory this machine or container allows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import psutil


@dataclass(frozen=True)
class Limits:
    """When a run is ended from outside or between two steps.

    Args:
        wall_seconds: After this time from the first step.
        setup_seconds: If no step is there after this time.
        silent_seconds: If no new step comes for this time.
        memory_bytes: When resident memory passes this; None for no limit.
        stop_seconds: How long a Stop waits for the step in progress before the process is ended.
    """

    wall_seconds: float = 60.0
    setup_seconds: float = 120.0
    silent_seconds: float = 30.0
    memory_bytes: int | None = None
    stop_seconds: float = 2.0


def memory_room(cgroup: Path = Path("/sys/fs/cgroup")) -> int:
    """Return the bytes of memory that are free for a run here, the container's limit respected.

    Args:
        cgroup: Where the container's limits are (``memory.max`` of version 2, else version 1).
    """
    room = int(psutil.virtual_memory().available)
    for limit, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        try:
            most = (cgroup / limit).read_text().strip()
            now = int((cgroup / used).read_text())
        except (OSError, ValueError):
            continue
        if most.isdigit():
            room = min(room, max(int(most) - now, 0))
    return room
