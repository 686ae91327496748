"""The most memory that some processes and all their children took while they were looked at."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Sequence

import psutil

LOOK_SECONDS = 0.5


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
