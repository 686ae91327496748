"""What the machine did while steps were timed: who used its processors, and when none was idle."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from labkit.stats.machine.card import Card
from labkit.stats.series import Mask, Numbers

# Processor time comes in ticks of 10 ms on most systems, so a shorter look would see mostly them.
WINDOW_SECONDS = 0.2
NO_IDLE_CORES = 0.3
OTHERS_CORES = 0.2
FEWEST_READINGS = 4


@dataclass(frozen=True)
class Machine:
    """What was recorded of the machine beside the step times, each of shape (steps,).

    Args:
        start_seconds: When each step began.
        processor_seconds: Processor time of the loop's own process during each step.
        canary_seconds: Time of the canary after the step; NaN where it was not run.
        others_seconds: Processor time of others so far; NaN where not read.
        idle_seconds: Processor time nobody used so far, all processors together; NaN where not
            read.
        queue_seconds: How long the step's thread stood ready without a processor during each step;
            NaN where the system does not count it.
        thread_seconds: Processor time of the step's thread during each step; NaN where not read.
        pool_queue_seconds: How long so far that other thread stood ready which stood longest; NaN
            where not read.
        cores: How many processors the loop may use; no array.
        card: What the graphics card said of itself; None where none did.
    """

    start_seconds: Numbers
    processor_seconds: Numbers
    canary_seconds: Numbers
    others_seconds: Numbers
    idle_seconds: Numbers
    queue_seconds: Numbers
    thread_seconds: Numbers
    pool_queue_seconds: Numbers
    cores: int = 1
    card: Card | None = None

    def between(self, start: int, end: int) -> Machine:
        """Return the steps from `start` to `end - 1`."""
        names = (each.name for each in fields(self) if each.name not in ("cores", "card"))
        part = {name: getattr(self, name)[start:end] for name in names}
        return replace(self, **part, card=self.card and self.card.between(start, end))


def others_cores(seconds: Numbers, machine: Machine) -> Numbers | None:
    """Return how many processors others used around each step, None where nobody looked."""
    return cores_in_use(machine.others_seconds, seconds, machine.start_seconds)


def short_of_processors(seconds: Numbers, machine: Machine, others: Numbers) -> Mask:
    """Mark the steps during which others used processors and none was idle, shape (steps,).

    Args:
        seconds: The step times, shape (steps,).
        machine: What was recorded of the machine at these steps.
        others: How many processors others used around each step, same shape.
    """
    idle = cores_in_use(machine.idle_seconds, seconds, machine.start_seconds)
    if idle is None:
        return np.zeros(len(seconds), dtype=np.bool_)
    return np.asarray((idle < NO_IDLE_CORES) & (others > OTHERS_CORES))


def cores_in_use(so_far: Numbers, seconds: Numbers, start: Numbers) -> Numbers | None:
    """Return how many processors' worth was used around each step, from a running total."""
    read = np.isfinite(so_far)
    if read.sum() < FEWEST_READINGS:
        return None
    when, total = (start + seconds)[read], so_far[read]
    middle = start + seconds / 2
    half = np.maximum(WINDOW_SECONDS, 1.2 * seconds) / 2
    # At both ends of the run the window is moved inside, not cut: a cut one sees ticks only.
    last = max(float(when[0]), float(when[-1]) - WINDOW_SECONDS)
    first = np.clip(middle - half, when[0], last)
    end = np.minimum(np.maximum(middle + half, first + WINDOW_SECONDS), when[-1])
    used = np.interp(end, when, total) - np.interp(first, when, total)
    return np.asarray(used / np.maximum(end - first, 1e-3))
