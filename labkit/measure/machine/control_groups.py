"""Control groups (Linux, ``man 7 cgroups``): the limits of this process and of those above it.

In a container the first one that is seen is the root.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

GROUPS, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
# Of version 2, and of version 1: the limit, and what is used of it.
MEMORY_FILES = (
    ("memory.max", "memory.current"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes"),
)


def groups_of(kind: str, groups: Path = GROUPS, own: Path = OWN) -> Iterator[Path]:
    """Yield the control groups of this process and those above them, as far as they exist.

    Args:
        kind: Of what they are groups in version 1, e.g. ``"memory"``.
        groups: The folder of all control groups.
        own: Names the groups of this process.
    """
    lines = [line.split(":", 2) for line in text(own).splitlines()]
    for root, names in ((groups, {""}), (groups / kind, {kind})):
        inside = {root}
        for line in lines:
            if len(line) == 3 and names & set(line[1].split(",")):
                group = root / line[2].strip("/")
                inside |= {group, *group.parents}
        # A container shows its own group as the root, whatever name the machine has for it.
        yield from (group for group in inside if group == root or root in group.parents)


def text(file: Path) -> str:
    """Return what stands in a file; nothing where there is none."""
    try:
        return file.read_text("utf-8")
    except OSError:  # no such limit here
        return ""


def number(file: Path) -> float | None:
    """Return the limit that stands in a file, as `as_number`."""
    return as_number(text(file))


def as_number(words: str) -> float | None:
    """Return a limit; None where there is none, which is written as "max", "inf" or as nothing."""
    try:
        found = float(words)
    except ValueError:
        return None
    return found if math.isfinite(found) else None
