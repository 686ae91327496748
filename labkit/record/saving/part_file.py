"""The file that is written beside a target first, and what a save that was killed left of it."""

from __future__ import annotations

import os
import re
import secrets
import stat
import time
from contextlib import suppress
from pathlib import Path

PART = re.compile(r"\.labkit-[0-9a-f]{16}\.part")
# Each write of one that is still written renews its time.
LEFT_SECONDS = 600.0


def part_beside(target: Path) -> Path:
    """Return a new name in the target's folder."""
    return target.with_name(f".labkit-{secrets.token_hex(8)}.part")


def remove_left_parts(folder: Path) -> None:
    """Remove what saves of this user have left in a folder that were killed amid them."""
    with suppress(OSError), os.scandir(folder) as entries:
        for each in entries:
            if PART.fullmatch(each.name) and _is_left(each.stat(follow_symlinks=False)):
                os.unlink(each.path)


def _is_left(found: os.stat_result) -> bool:
    ours = os.name != "posix" or found.st_uid == os.geteuid()
    old = time.time() - found.st_mtime > LEFT_SECONDS
    return ours and old and stat.S_ISREG(found.st_mode)
