"""Users by number: in a user namespace all that have none of their own there have one together.

A container without root's help is one, and so are some sandboxes (``man 7 user_namespaces``).
"""

from __future__ import annotations

import os
from pathlib import Path

ALL_NUMBERS = 2**32 - 1
MAP, SHARED = Path("/proc/self/uid_map"), Path("/proc/sys/kernel/overflowuid")


def shared_number() -> int | None:
    """Return the number that stands for many users here; None where each has a number."""
    try:
        ranges = [line.split() for line in MAP.read_text("ascii").splitlines()]
        if sum(int(count) for _, _, count in ranges) >= ALL_NUMBERS:
            return None
        return int(SHARED.read_text("ascii"))
    except (OSError, ValueError):  # no Linux
        return None


def known_users(*numbers: int) -> set[int]:
    """Return us, root, and whoever else is one user for certain."""
    return {0, *numbers} - {shared_number()} | {os.geteuid()}
