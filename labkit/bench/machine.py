"""What this machine allows, or the container, the service or the hub that holds us: memory, cores.

A limit may stand in the control group (Linux, ``man 7 cgroups``) of this process or of any above
it; in a container the first one that is seen is the root. A JupyterHub names the limits it was
given in ``MEM_LIMIT`` and ``CPU_LIMIT`` (JupyterHub, ``Spawner.get_env``).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from labkit.measure.machine.control_groups import (
    GROUPS,
    MEMORY_FILES,
    OWN,
    as_number,
    groups_of,
    number,
    text,
)

SMALL_ROOM_BYTES = 2_100_000_000


@dataclass(frozen=True)
class Allowed:
    """Where limits are written.

    Args:
        groups: The folder of all control groups.
        own: Names the groups of this process.
        environment: The variables a hub sets.
    """

    groups: Path = GROUPS
    own: Path = OWN
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def memory_room(self) -> int:
        """Return the bytes of memory that are free for a run."""
        memory = psutil.virtual_memory()
        rooms = [int(memory.available)]
        for folder in groups_of("memory", self.groups, self.own):
            for limit, used in MEMORY_FILES:
                most, now = number(folder / limit), number(folder / used)
                # Version 1 writes a number beyond all memory where there is no limit.
                if most is not None and now is not None and most < memory.total:
                    rooms.append(int(most - now) + _given_back_bytes(folder))
        named = as_number(self.environment.get("MEM_LIMIT", ""))
        if named is not None and len(rooms) == 1:
            rooms.append(int(named) - _held_bytes())
        return max(min(rooms), 0)

    def cores(self) -> int:
        """Return the number of processor cores; a share of their time below two counts as one."""
        several = hasattr(os, "sched_getaffinity")
        cores = [len(os.sched_getaffinity(0)) if several else os.cpu_count() or 1]
        for folder in groups_of("cpu", self.groups, self.own):
            shares = (_words(folder / "cpu.max"), [
                *_words(folder / "cpu.cfs_quota_us"), *_words(folder / "cpu.cfs_period_us")
            ])  # fmt: skip
            for words in shares:
                share, period = map(as_number, words) if len(words) == 2 else (None, None)
                if share and period and share > 0:
                    cores.append(int(share // period))
        named = as_number(self.environment.get("CPU_LIMIT", ""))
        return max(1, min([*cores, *([int(named)] if named else [])]))


def memory_room() -> int:
    """Return the bytes of memory that are free for a run here."""
    return Allowed().memory_room()


def usable_cores() -> int:
    """Return the number of processor cores this process may use."""
    return Allowed().cores()


def small_machine() -> str:
    """Return why sizes should be kept small here, in a few words; empty where they need not be."""
    reasons = []
    if usable_cores() < 2:
        reasons.append("one core")
    room = memory_room()
    if room < SMALL_ROOM_BYTES:
        reasons.append(f"{room / 1e9:.1f} GB of memory")
    return " and ".join(reasons)


def _given_back_bytes(group: Path) -> int:
    """Return the memory that holds contents of files which no process has mapped.

    The system counts it as used and gives it back when somebody needs it. Left out, TensorFlow's
    own files and a lab's checkpoints would fill most of a container of 2 GB.
    """
    lines = [line.split() for line in text(group / "memory.stat").splitlines()]
    bytes_of = {
        words[0]: int(words[1]) for words in lines if len(words) == 2 and words[1].isdigit()
    }
    # Version 1 tells its own processes' from those of the groups below it; its limit is for all.
    total = "total_" if "total_cache" in bytes_of else ""
    files = sum(bytes_of.get(f"{total}{name}", 0) for name in ("inactive_file", "active_file"))
    mapped = bytes_of.get("file_mapped", bytes_of.get(f"{total}mapped_file", 0))
    return max(0, files - mapped)


def _held_bytes() -> int:
    """Return the memory of this process and of those it started, what they share counted once each.

    The server beside them is not in it: a hub's limit leaves a little less than this says.
    """
    own = psutil.Process()
    held = 0
    for process in (own, *own.children(recursive=True)):
        try:
            held += getattr(process.memory_full_info(), "pss", process.memory_info().rss)
        except psutil.Error:  # ended meanwhile
            continue
    return held


def _words(file: Path) -> list[str]:
    return text(file).split()
