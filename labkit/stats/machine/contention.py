"""Contention: how long each step would have taken if no other program had used a processor.

The system counts how long each thread stood ready and had no processor (`labkit.measure.machine.
run_queue`). What the step's own thread lost so is taken away, step by step, but for the time in
which another thread of the same process may have had the processor: threads that hand work to each
other on one core wait for each other. And a step that sleeps until a pool of threads is done may
have lost up to what the slowest of these lost, but no more than it slept. So each step's time lies
between two bounds (C. F. Manski, *Partial Identification of Probability Distributions*, 2003).

Where between them, the run itself tells: from step to step these delays come and go, and the share
of them that leaves the least of this in the step times is the likely one. That is an analysis of
covariance with one covariate (W. G. Cochran, *Biometrics* 13, 1957), with a robust measure of
scatter in place of squares.

Time in which no thread of the loop is ready (sleep, disk, network, a lock, a device) is the loop's
own, and never taken away. Nor is what its own threads take from each other: where no other program
used a processor, nothing is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labkit.record.verdict import WORTH_SAYING
from labkit.stats.machine.readings import Machine, others_cores, short_of_processors
from labkit.stats.series import Mask, Numbers

# Below this others are but the system's own housekeeping.
LEAST_OTHERS_CORES = 0.05
# Of the longest bound, what the shortest is at least: threads that hand work to each other count as
# waiting for a moment each time, and of short steps that would be all.
LEAST_SHARE = 0.3
# Of what lies between the bounds; the scatter changes little between two of them.
SHARES = tuple(twentieth / 20 for twentieth in range(21))
# A change from one step to the next that is larger than this is a spike of some kind, and no more.
LARGEST_CHANGE = 0.7


@dataclass(frozen=True)
class Contention:
    """What other programs took from each step; all arrays have the shape (steps,).

    Args:
        longest: How long each step would have taken at most without it, in seconds.
        shortest: How long at least.
        likely: How long it is likely to have taken.
        share: The share of the time that others are likely to have taken.
        measured: Whether the system counts it; else both bounds are the times themselves.
        busy: The steps during which others used processors and none was idle.
        others_cores: How many processors others used around each step; zero where nobody looked.
    """

    longest: Numbers
    shortest: Numbers
    likely: Numbers
    share: float
    measured: bool
    busy: Mask
    others_cores: Numbers

    @property
    def uncounted(self) -> bool:
        """Whether others were busy and nobody counted what they took."""
        return not self.measured and self.busy_share >= WORTH_SAYING

    @property
    def busy_share(self) -> float:
        """In which share of the steps others used processors and none was idle."""
        return float(self.busy.mean())


def contention(seconds: Numbers, machine: Machine) -> Contention:
    """Return what other programs took from each step.

    Args:
        seconds: The step times, shape (steps,).
        machine: What was recorded of the machine at these steps.
    """
    busy, used = np.zeros(len(seconds), dtype=np.bool_), np.zeros(len(seconds))
    others = others_cores(seconds, machine)
    if others is not None:
        busy, used = short_of_processors(seconds, machine, others), others
    own, pools = machine.queue_seconds, each_step(machine.pool_queue_seconds)
    if not np.isfinite(own).all():
        return Contention(seconds, seconds, seconds, 0.0, False, busy, used)
    if others is not None:
        alone = others < LEAST_OTHERS_CORES
        own, pools = np.where(alone, 0.0, own), np.where(alone, 0.0, pools)
    beside = np.fmax(0.0, machine.processor_seconds - machine.thread_seconds)  # nobody read: 0
    longest = _held(own_seconds(seconds, own, beside), seconds, machine)
    awake = _held(seconds - own, seconds, machine)
    # What the thread itself computed it did not wait for.
    computed = np.fmax(machine.processor_seconds / machine.cores, machine.thread_seconds)
    least = np.maximum(LEAST_SHARE * awake, np.minimum(computed, awake))
    shortest = np.maximum(awake - pools, least)
    likely = longest - waited_for(longest, longest - shortest) * (longest - shortest)
    share = float(1 - likely.sum() / seconds.sum())
    return Contention(longest, shortest, likely, share, True, busy, used)


def own_seconds(seconds: Numbers, queue: Numbers, beside: Numbers) -> Numbers:
    """Return the time of each step without what other programs surely took; all in seconds.

    Args:
        seconds: The step times, shape (steps,).
        queue: How long the step's thread stood ready and had no processor; NaN where nobody read.
        beside: How long other threads of its process had one: it may have been that one. Two
            threads that hand work to each other on two busy cores wait for half of a short step.
    """
    return np.asarray(np.maximum(0.0, seconds - np.fmax(0.0, queue - np.fmax(0.0, beside))))


def _held(left: Numbers, seconds: Numbers, machine: Machine) -> Numbers:
    """Return what is left of the step times, where that is not absurd."""
    least = LEAST_SHARE * machine.processor_seconds.clip(1e-9)
    return np.asarray(np.minimum(np.maximum(left, least), seconds))


def waited_for(longest: Numbers, delays: Numbers) -> float:
    """Return which share of the delays that may be others' the steps did wait for.

    Args:
        longest: How long each step took at most, in seconds, shape (steps,).
        delays: What it may have waited beyond what it takes alone, same shape.
    """
    if len(longest) < 2:  # no neighbours
        return SHARES[0]
    return min(SHARES, key=lambda share: _scatter(np.log(longest - share * delays)))


def _scatter(log_seconds: Numbers) -> float:
    """Return how much neighbours differ; a growth of the loop hardly shows in that."""
    changes = np.abs(np.diff(log_seconds))
    return float(np.median(changes) + np.mean(np.minimum(changes, LARGEST_CHANGE)) / 2)


def each_step(so_far: Numbers) -> Numbers:
    """Return what a running total rose by at each step; evenly where it was not read at each."""
    read = np.flatnonzero(np.isfinite(so_far))
    if len(read) < 2:
        return np.zeros(len(so_far))
    total = np.interp(np.arange(-1, len(so_far)), read, so_far[read])
    return np.asarray(np.maximum(np.diff(total), 0.0))
