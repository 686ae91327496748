"""What the machine did while steps were timed, and in which steps it was short of processors.

A step that waits for a processor is slow, and nothing in the loop made it so. Two things together
give such a step away: it used less processor time than its wall time lets one expect, and at that
moment no processor was idle because others used them. A step that waits for a disk, a network or a
lock leaves processors idle; it is the loop's own and stays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.stats.series import Mask, Numbers

# Processor time comes in ticks of 10 ms on most systems, so a shorter look would see mostly them.
WINDOW_SECONDS = 0.2
NO_IDLE_CORES = 0.3
OTHERS_CORES = 0.2
FEWEST_READINGS = 4
LOW_SHARE = 0.8
# One thread on a processor of its own shows up to 1.05; what lies above is a second thread.
ONE_THREAD = 1.05
NEAR_STEPS = 11
NEAR_SHARE = 0.3
BLOCK_STEPS = 30
FEWEST_RESTED = 60


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
    """

    start_seconds: Numbers
    processor_seconds: Numbers
    canary_seconds: Numbers
    others_seconds: Numbers
    idle_seconds: Numbers

    def between(self, start: int, end: int) -> Machine:
        """Return the steps from `start` to `end - 1`."""
        part = slice(start, end)
        return Machine(
            self.start_seconds[part],
            self.processor_seconds[part],
            self.canary_seconds[part],
            self.others_seconds[part],
            self.idle_seconds[part],
        )


@dataclass(frozen=True)
class Contention:
    """In which steps processors were short.

    Args:
        short: Steps during which others used processors and none was idle, shape (steps,).
        waited: The steps among them that waited for one, and their near neighbours, same shape.
        processor_seconds: The step times with processor time, scaled to a step that need not wait,
            in place of wall time where processors were short, same shape.
        others_cores: How many processors others used in those steps, on average.
    """

    short: Mask
    waited: Mask
    processor_seconds: Numbers
    others_cores: float

    def rested(self) -> NDArray[np.intp] | None:
        """Return which steps did not wait; None where they are too few to stand for the run."""
        found = np.flatnonzero(~self.waited)
        return found if len(found) >= FEWEST_RESTED else None


def others_cores(seconds: Numbers, machine: Machine) -> Numbers | None:
    """Return how many processors others used around each step, None where nobody looked."""
    read = np.isfinite(machine.others_seconds)
    if read.sum() < FEWEST_READINGS:
        return None
    return cores_in_use(machine.others_seconds, read, seconds, machine.start_seconds)


def contention(seconds: Numbers, machine: Machine) -> Contention | None:
    """Return in which steps processors were short, None where in none or where nobody looked.

    Args:
        seconds: The step times, shape (steps,).
        machine: What was recorded of the machine at these steps.
    """
    read = np.isfinite(machine.idle_seconds) & np.isfinite(machine.others_seconds)
    if read.sum() < FEWEST_READINGS:
        return None
    idle = cores_in_use(machine.idle_seconds, read, seconds, machine.start_seconds)
    others = cores_in_use(machine.others_seconds, read, seconds, machine.start_seconds)
    short = (idle < NO_IDLE_CORES) & (others > OTHERS_CORES)
    if not short.any():
        return None
    share = machine.processor_seconds / seconds
    quick = _quick(seconds)
    left_alone = ~short if (~short).sum() >= BLOCK_STEPS else quick
    usual, least = float(np.median(share[left_alone])), float(np.median(share[quick]))
    if min(usual, least) <= 0:
        return None
    low = short & (share < LOW_SHARE * min(ONE_THREAD, least))
    window = np.ones(NEAR_STEPS) / NEAR_STEPS
    near = np.convolve(np.pad(low.astype(np.float64), NEAR_STEPS // 2, "edge"), window, "valid")
    waited = low | (short & (near >= NEAR_SHARE))
    own = np.where(short, np.maximum(machine.processor_seconds, 1e-9) / usual, seconds)
    return Contention(short, waited, own, float(others[short].mean()))


def cores_in_use(so_far: Numbers, read: Mask, seconds: Numbers, start: Numbers) -> Numbers:
    """Return how many processors' worth was used around each step, from a running total."""
    when, total = (start + seconds)[read], so_far[read]
    middle = start + seconds / 2
    half = np.maximum(WINDOW_SECONDS, 1.2 * seconds) / 2
    # At both ends of the run the window is moved inside, not cut: a cut one sees ticks only.
    last = max(float(when[0]), float(when[-1]) - WINDOW_SECONDS)
    first = np.clip(middle - half, when[0], last)
    end = np.minimum(np.maximum(middle + half, first + WINDOW_SECONDS), when[-1])
    used = np.interp(end, when, total) - np.interp(first, when, total)
    return np.asarray(used / np.maximum(end - first, 1e-3))


def _quick(seconds: Numbers) -> Mask:
    """Mark the quickest third of every thirty steps: those least disturbed."""
    marked = np.zeros(len(seconds), dtype=np.bool_)
    for block in np.array_split(np.arange(len(seconds)), max(1, len(seconds) // BLOCK_STEPS)):
        marked[block] = seconds[block] <= np.quantile(seconds[block], 1 / 3)
    return marked
