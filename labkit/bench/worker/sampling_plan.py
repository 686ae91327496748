"""The expensive looks at an unknown loop: what each is, and how often it is taken."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from labkit.measure.clock.calls import CallCounter
from labkit.measure.clock.pipeline_threads import PipelineThreads
from labkit.measure.clock.sampling import Look, Looked
from labkit.measure.clock.stacks import StackSampler
from labkit.measure.clock.timers import Timers
from labkit.measure.memory.final_checks import last_look
from labkit.measure.memory.live_objects import LiveObjects
from labkit.measure.memory.workload import Workload

HEAP = "heap_bytes"
COUNT_PAUSE_SECONDS = 0.2
EAGER_COUNTS = 14
CALLS_PAUSE_SECONDS = 0.5
STACKS_STEPS = 3
STACKS_SECONDS = 0.25
STACKS_PAUSE_SECONDS = 2.5
STACKS_SHARE = 0.1
# A loop of short steps that ends early would have none left to judge, and to count what lives in:
# one look takes hundreds, and on a busy machine it took all that came after the fourth count.
STACKS_WAIT_SECONDS = 2.5


class LiveObjectsLook:
    """Counts what lives, between two steps.

    Args:
        objects: Counts objects and entries of registries.
        sizes: Returns how large what the loop holds is.
    """

    def __init__(self, objects: LiveObjects, sizes: Callable[[], dict[str, float]]) -> None:
        self._objects = objects
        self._sizes = sizes
        self._found: dict[str, float] = {}

    @property
    def missing(self) -> list[str]:
        """The private names this TensorFlow does not have."""
        return self._objects.missing

    def start(self) -> None:
        """Look."""
        self._found = {**self._objects.sample(), **self._sizes()}

    def stop(self, steps: int) -> Mapping[str, float]:
        """Return what was found."""
        return self._found


class StacksLook:
    """Samples the lines of the step's thread, and of those that make its data."""

    def __init__(self) -> None:
        self._own, self._pipeline = StackSampler(), PipelineThreads()
        self.missing = self._own.missing

    def start(self) -> None:
        """Sample from here on."""
        self._pipeline.start()
        self._own.start()

    def stop(self, steps: int) -> Mapping[str, float]:
        """Return the seconds per step of each line."""
        return {**self._own.stop(steps), **self._pipeline.stop(steps)}


def looks(
    sizes: Callable[[], dict[str, float]], scratch: Path | None, timers: Timers
) -> list[Looked]:
    """Return the looks at a loop.

    Args:
        sizes: Returns how large what the loop holds is.
        scratch: Where the loop's files go; None where nobody knows.
        timers: They know which functions are patched.
    """
    count = LiveObjectsLook(LiveObjects(sys.modules["tensorflow"], scratch), sizes)
    # In order of importance: of two that are due, the first is taken.
    return [
        Looked(count, pause_seconds=COUNT_PAUSE_SECONDS, eager=EAGER_COUNTS),
        Looked(CallCounter(timers), steps=1, pause_seconds=CALLS_PAUSE_SECONDS),
        Looked(Workload(), steps=1, pause_seconds=CALLS_PAUSE_SECONDS),
        Looked(
            StacksLook(), steps=STACKS_STEPS, least_seconds=STACKS_SECONDS,
            pause_seconds=STACKS_PAUSE_SECONDS, share=STACKS_SHARE,
            wait_seconds=STACKS_WAIT_SECONDS,
        ),
    ]  # fmt: skip


def closing_look(counts: Look | None = None, *, ended: bool = False) -> dict[str, float]:
    """Return what can be known only at the end of a run.

    Args:
        counts: What counts all that lives, to be asked once more when garbage is gone. Where the
            loop has switched collections off, garbage is kept for ever, and it is not asked.
        ended: Whether the process ends with the loop. Where it goes on, what has switched
            collections off is not collected by us.
    """
    if not ended and not gc.isenabled():
        return {}

    def left() -> Mapping[str, float]:
        if counts is None or not collecting:
            return {}
        counts.start()
        # How much of the heap was garbage is told on its own.
        return {name: value for name, value in counts.stop(0).items() if name != HEAP}

    collecting = gc.isenabled()
    return last_look(sys.modules["tensorflow"], left)
