"""Python's garbage collector: how long it paused the step."""

from __future__ import annotations

import gc
import time
from collections.abc import Mapping
from typing import Any

from labkit.measure.patches.counting_probe import CountingProbe, ProbeContext
from labkit.record import Column

# Shorter pauses are counted and timed, but not worth a mark: there are hundreds of them.
TELLING_SECONDS = 0.001


class CollectorProbe(CountingProbe):
    """Counts collections from its making on, and records their pauses on a place of the timers."""

    counters = (Column("gc_collections", "garbage collections", "collections", "counter"),)

    def __init__(self, context: ProbeContext) -> None:
        super().__init__(context)
        self._place = self.timers.add("garbage_collection", "garbage collection")
        self._opened = False
        self._began = 0.0
        # Bound once: `self._hear` is a new object each time it is read, and close() must remove
        # the very one that was added.
        self._callback = self._hear
        gc.callbacks.append(self._callback)

    def _hear(self, phase: str, info: Mapping[str, Any]) -> None:
        if phase == "start":
            self._began = time.perf_counter()
            self._opened = self.timers.enter(self._place)
            self.values[self.first] += 1
            return
        if self._opened:
            self._opened = False
            self.timers.leave()
        pause = time.perf_counter() - self._began
        if pause >= TELLING_SECONDS:
            generation, collected = int(info["generation"]), int(info["collected"])
            self.events.add(
                "gc",
                f"garbage collection, generation {generation}: {pause * 1e3:.0f} ms",
                generation=generation,
                seconds=pause,
                collected=collected,
            )

    def close(self) -> None:
        gc.callbacks.remove(self._callback)
