"""The memory of some processes together: held to a limit, as in a container, and looked at."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil

from tools.control_group import control_group, join

# Where a group's memory is limited, by the version of control groups (Linux, `man 7 cgroups`).
LIMITS = ("memory.max", "memory.limit_in_bytes")
SWAP_LIMITS = ("memory.swap.max", "memory.memsw.limit_in_bytes")
# Where it is counted how many processes were ended because there was no more.
KILLS = ("memory.events", "memory.oom_control")
LOOK_SECONDS = 0.5


class MemoryGroup:
    """A control group that holds processes to a limit, as a container does.

    Args:
        folder: Of the group; None where none can be made, and then nobody is held to anything.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._kills = 0

    @property
    def limited(self) -> bool:
        """Whether the system holds its processes to the limit."""
        return self.folder is not None

    @property
    def kills(self) -> int:
        """How many processes were ended because there was no more memory."""
        self.count()
        return self._kills

    def count(self) -> None:
        """Look how many there are; once the group is gone the last figure stands."""
        if self.folder is not None:
            self._kills = max(self._kills, _kills(self.folder))

    def add(self, process_id: int) -> None:
        """Hold a process, and all that it starts from now on, to the limit."""
        if self.folder is not None:
            join(self.folder, process_id)


@contextlib.contextmanager
def memory_group(limit_bytes: int) -> Iterator[MemoryGroup]:
    """Make a group and remove it; its processes should have ended by then.

    Args:
        limit_bytes: How much memory its processes may have together.
    """
    with control_group("memory", dict.fromkeys(LIMITS, str(limit_bytes))) as folder:
        if folder is not None:
            _without_swap(folder, limit_bytes)
        group = MemoryGroup(folder)
        try:
            yield group
        finally:
            group.count()  # once more, before its folder goes


def _without_swap(folder: Path, limit_bytes: int) -> None:
    for name, most in zip(SWAP_LIMITS, (0, limit_bytes), strict=True):
        with contextlib.suppress(OSError):
            if (folder / name).exists():
                (folder / name).write_text(str(most), "ascii")


def _kills(folder: Path) -> int:
    for name in KILLS:
        if (folder / name).exists():
            facts = dict(line.split() for line in (folder / name).read_text("ascii").splitlines())
            return int(facts.get("oom_kill", 0))
    return 0


class MemoryWatch:
    """Looks at the memory of some processes and all their children until it is closed.

    Args:
        roots: Their ids.
        core: The processor to do it on; None for any.
    """

    def __init__(self, roots: Sequence[int], core: int | None = None) -> None:
        self.total_bytes = 0
        self.process_bytes = 0
        self._roots = [psutil.Process(root) for root in roots]
        self._core = core
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        if self._core is not None:
            os.sched_setaffinity(0, {self._core})  # of this thread alone
        while not self._over.wait(LOOK_SECONDS):
            self._look()

    def _look(self) -> None:
        total = 0
        for process in list(_with_children(self._roots)):
            with contextlib.suppress(psutil.Error):  # it has ended meanwhile
                memory = process.memory_full_info()
                total += int(memory.pss)
                self.process_bytes = max(self.process_bytes, int(memory.rss))
        self.total_bytes = max(self.total_bytes, total)


def _with_children(roots: Sequence[psutil.Process]) -> Iterator[psutil.Process]:
    for root in roots:
        yield root
        with contextlib.suppress(psutil.Error):
            yield from root.children(recursive=True)
