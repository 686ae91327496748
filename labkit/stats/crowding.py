"""Crowding: what others on the machine took from each step.

A step that waits for a processor is slow, and nothing in the loop made it so. Two things together
give such a step away: it used less processor time than its wall time lets one expect, and at that
moment no processor was idle because others used them. A step that waits for a disk, a network or a
lock leaves processors idle; it is the loop's own and stays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import median_filter

from labkit.stats.machine import Machine, others_cores, short_of_processors
from labkit.stats.series import Mask, Numbers

LOW_SHARE = 0.8
# One thread on a processor of its own shows up to 1.05; what lies above is a second thread.
ONE_THREAD = 1.05
NEAR_STEPS = 11
NEAR_SHARE = 0.3
BLOCK_STEPS = 30
FEWEST_CALM = 10
FEWEST_RESTED = 60
LEAST_SHARE = 0.02


@dataclass(frozen=True)
class Crowding:
    """What others took from each step; every array has the shape (steps,).

    Args:
        seconds: The step times without the waits of single steps for a processor.
        waits: By how much that made each shorter, as a difference of logarithms, 0 or below.
        short: Steps during which others used processors and none was idle.
        interrupted: The steps among them that used less of a processor than those around them.
        waited: The steps among them that had less than a processor, and their near neighbours.
        lost: By how much the processors a step had fell short of those it has when nobody takes
            any, as a difference of logarithms, 0 or below; 0 where processors were not short.
        others: How many processors others used.
    """

    seconds: Numbers
    waits: Numbers
    short: Mask
    interrupted: Mask
    waited: Mask
    lost: Numbers
    others: Numbers

    def pressure(self) -> Numbers:
        """Return what may have slowed each step: the processors lost, those others used.

        Shape (steps, 2).
        """
        return np.stack([self.lost, np.maximum(self.others, 0.0)], axis=1)

    def rested(self) -> NDArray[np.intp] | None:
        """Return which steps did not wait; None where they are too few to stand for the run."""
        found = np.flatnonzero(~self.waited)
        return found if len(found) >= FEWEST_RESTED else None


def crowding(seconds: Numbers, machine: Machine) -> Crowding | None:
    """Return what others took from each step, None where nobody looked.

    Args:
        seconds: The step times, shape (steps,).
        machine: What was recorded of the machine at these steps.
    """
    others = others_cores(seconds, machine)
    if others is None:
        return None
    short = short_of_processors(seconds, machine, others)
    nowhere = np.zeros(len(seconds), dtype=np.bool_)
    share = machine.processor_seconds / seconds
    least = float(np.median(share[_quick(seconds)]))
    if not short.any() or least <= 0:
        none = np.zeros(len(seconds))
        return Crowding(seconds, none, short, nowhere, nowhere, none, others)
    # A step that waited had less than a processor: without its wait it would have had one.
    unhurried = np.where(short, np.maximum(share, min(1.0, least)), share)
    near = np.maximum(median_filter(unhurried, NEAR_STEPS, mode="nearest"), LEAST_SHARE)
    interrupted = short & (share < LOW_SHARE * near)
    unwaited = np.where(interrupted, np.maximum(machine.processor_seconds, 1e-9) / near, seconds)
    calm = ~short
    usual = float(np.median(share[calm])) if calm.sum() >= FEWEST_CALM else least
    lost = np.where(short, np.log(near / max(usual, LEAST_SHARE)), 0.0)
    waited = _with_neighbours(short & (share < LOW_SHARE * min(ONE_THREAD, least)), short)
    freed = np.minimum(seconds, unwaited)
    waits = np.log(freed / seconds)
    return Crowding(freed, waits, short, interrupted, waited, lost, others)


def _with_neighbours(low: Mask, short: Mask) -> Mask:
    window = np.ones(NEAR_STEPS) / NEAR_STEPS
    near = np.convolve(np.pad(low.astype(np.float64), NEAR_STEPS // 2, "edge"), window, "valid")
    return np.asarray(low | (short & (near >= NEAR_SHARE)))


def _quick(seconds: Numbers) -> Mask:
    """Mark the quickest third of every thirty steps: those least disturbed."""
    marked = np.zeros(len(seconds), dtype=np.bool_)
    for block in np.array_split(np.arange(len(seconds)), max(1, len(seconds) // BLOCK_STEPS)):
        marked[block] = seconds[block] <= np.quantile(seconds[block], 1 / 3)
    return marked
