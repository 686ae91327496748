"""The limits of a run, and how much memory this machine or container allows."""

from __future__ import annotations

import os
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


SMALL_ROOM_BYTES = 2_100_000_000


def small_machine() -> str:
    """Return why sizes should be kept small here, in a few words; empty where they need not be."""
    reasons = []
    if usable_cores() < 2:
        reasons.append("one core")
    room = memory_room()
    if room < SMALL_ROOM_BYTES:
        reasons.append(f"{room / 1e9:.1f} GB of memory")
    return " and ".join(reasons)


def usable_cores() -> int:
    """Return the number of processor cores this process may use, the container's limit respected.

    A container's share of processor time (``cpu.max``) below two cores counts as one.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    try:
        share, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        cores = min(cores or 1, max(1, int(share) // int(period)))
    except (OSError, ValueError):  # no such limit here
        pass
    return cores or 1
