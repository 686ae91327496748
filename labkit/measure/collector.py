"""Python's garbage collector: how long it paused the step."""

from __future__ import annotations

import gc
import time
from collections.abc import Mapping
from typing import Any

from labkit.measure.events import Events
from labkit.measure.places import Places
from labkit.measure.tally import Tallied
from labkit.record import Column

# Shorter pauses are counted and booked, but not worth a mark: there are hundreds of them.
TELLING_SECONDS = 0.001


class CollectorProbe(Tallied):
    """Counts collections from its making on, and books their pauses on a place of the stopwatch.

    Args:
        places: The stopwatch; the pause of a collection is left out of whatever it interrupted.
        events: Takes each pause of a millisecond or more.
    """

    columns = (Column("gc_collections", "garbage collections", "collections", "counter"),)

    def __init__(self, places: Places, events: Events) -> None:
        super().__init__(places.board)
        self._places = places
        self._events = events
        self._place = places.add("garbage_collection", "garbage collection")
        self._opened = False
        self._began = 0.0
        # Bound once: `self._hear` is a new object each time it is read, and close() must remove
        # the very one that was added.
        self._callback = self._hear
        gc.callbacks.append(self._callback)

    def _hear(self, phase: str, info: Mapping[str, Any]) -> None:
        if phase == "start":
            self._began = time.perf_counter()
            self._opened = self._places.enter(self._place)
            self.values[self.first] += 1
            return
        if self._opened:
            self._opened = False
            self._places.leave()
        pause = time.perf_counter() - self._began
        if pause >= TELLING_SECONDS:
            generation, collected = int(info["generation"]), int(info["collected"])
            self._events.add(
                "gc",
                f"garbage collection, generation {generation}: {pause * 1e3:.0f} ms",
                generation=generation,
                seconds=pause,
                collected=collected,
            )

    def close(self) -> None:
        gc.callbacks.remove(self._callback)
