"""Paged memory: data that lie on a disk or in swap space, and in memory only while they are used.

Linux only in part: the count of waits is POSIX, putting pages out (``MADV_PAGEOUT``, since Linux
5.4) is not; where it does nothing, `can_put_out` says so. How much memory the process may take can
be limited on Linux only.
"""

from __future__ import annotations

import mmap
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from labkit.record import LabkitError

if sys.platform != "win32":  # bound now: a program may put a module of its own in its place
    import resource


PAGES_FILE = Path("/proc/self/statm")
PAGEOUT = 21  # MADV_PAGEOUT, which Python's mmap does not name


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
    now = int(PAGES_FILE.read_text("ascii").split()[0]) * mmap.PAGESIZE
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (now + room_bytes, hard))


def mapped_file(pieces: Iterable[bytes]) -> mmap.mmap:
    """Return data that lie in a file of their own, in a new temporary folder.

    Args:
        pieces: The data, in order. What is written together can only be put out together.

    Raises:
        OSError: If they cannot be written.
    """
    with open(os.path.join(tempfile.mkdtemp(), "data"), "w+b") as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())  # what is not on the disk yet cannot be put back there
        return mmap.mmap(file.fileno(), 0)


def mapped_nowhere(pieces: Iterable[bytes], size: int) -> mmap.mmap:
    """Return data that belong to no file, so that they can only be put out into swap space.

    Args:
        pieces: The data, in order.
        size: How many bytes they are.
    """
    memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for piece in pieces:
        memory.write(piece)
    memory.madvise(PAGEOUT)
    return memory


def free_swap_bytes() -> int:
    """Return how much swap space is free; see proc_meminfo(5)."""
    lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    kilobytes = next((line.split()[1] for line in lines if line.startswith("SwapFree:")), "0")
    return int(kilobytes) * 1024


def disk_faults() -> float:
    """Return how often this process waited for a page to come from a disk; NaN on Windows."""
    if sys.platform == "win32":
        return float("nan")
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_majflt)


def can_put_out(memory: mmap.mmap, size: int) -> bool:
    """Try it: put the beginning out of memory, and see that it must be fetched again.

    Args:
        memory: Whose pages are on a disk or in swap space, or on their way there.
        size: How many bytes are put out together: as many as were written together, because Linux
            may keep those as one piece, and puts out whole pieces only.
    """
    try:
        memory[0]
        memory.madvise(PAGEOUT, 0, size)
    except (OSError, AttributeError):  # an old Linux, or none
        return False
    before = disk_faults()
    memory[0]
    return disk_faults() > before
