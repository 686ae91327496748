"""A part of the steps that grows while the others stay: every second, third or fourth step.

The level of a loop is the median of its steps, which such a part does not move: one step in three
can go from 4 to 73 ms, and the level is flat. What comes more rarely is a spike.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labkit.record.verdict import Part
from labkit.stats.noise import median
from labkit.stats.series import Numbers

LONGEST_PERIOD = 4
# Kendall's test of the order of so many medians: none of the nine phases that are tried reaches
# this by chance in a thousand runs.
BLOCKS = 20
FEWEST_STEPS_A_BLOCK = 3
LEAST_ERRORS = 4.5
LEAST_RISE = math.log(1.25)
# Of the rise, in the steps that stay; more, and the whole loop gets slower.
MOST_ELSEWHERE = 0.25


def growing_part(seconds: Numbers, places: NDArray[np.intp]) -> Part | None:
    """Return which steps get slower while the others do not; None where no such part is found.

    Args:
        seconds: The time of each step, shape (steps,).
        places: Which step of the loop each is, same shape: some may be missing.
    """
    log_seconds = np.log(seconds)
    for period in range(2, LONGEST_PERIOD + 1):
        if len(log_seconds) < BLOCKS * FEWEST_STEPS_A_BLOCK * period:
            return None
        phases = places % period
        heights = _heights(log_seconds, phases, period)
        if heights is None:
            return None
        own = [_slope(each) for each in heights]
        # Beside the phase that rises least: what the machine does it does to that as well.
        beside = heights[int(np.argmin(own))]
        rises = [(rise, _errors(each - beside)) for rise, each in zip(own, heights, strict=True)]
        largest = max(rise for rise, _ in rises)
        least = max(LEAST_RISE, MOST_ELSEWHERE * largest)
        grows = [rise > least and errors >= LEAST_ERRORS for rise, errors in rises]
        stays = [abs(rise) <= MOST_ELSEWHERE * largest for rise, _ in rises]
        # Each phase does the one or the other, and some do each.
        if any(grows) and any(stays) and all(a or b for a, b in zip(grows, stays, strict=True)):
            others = np.isin(phases, np.flatnonzero(stays))
            at = tuple(map(int, np.flatnonzero(grows)))
            return Part(period, at, float(np.median(seconds[others])))
    return None


def _heights(log_seconds: Numbers, phases: NDArray[np.intp], period: int) -> Numbers | None:
    """Return the median of each phase in each block, shape (period, blocks); None if one lacks."""
    blocks = np.array_split(np.arange(len(log_seconds)), BLOCKS)
    chosen = [[block[phases[block] == phase] for block in blocks] for phase in range(period)]
    if not all(part.size for row in chosen for part in row):
        return None
    return np.array([[median(log_seconds[part]) for part in row] for row in chosen])  # fmt: skip


def _slope(heights: Numbers) -> float:
    """Return how much a phase rises from first block to last, by all slopes (Sen 1968)."""
    first, second = np.triu_indices(BLOCKS, 1)
    return median((heights[second] - heights[first]) / (second - first)) * (BLOCKS - 1)


def _errors(heights: Numbers) -> float:
    """Return how many standard errors the order of the blocks is from chance (Mann 1945)."""
    first, second = np.triu_indices(BLOCKS, 1)
    order = float(np.sign(heights[second] - heights[first]).sum())
    return order / math.sqrt(BLOCKS * (BLOCKS - 1) * (2 * BLOCKS + 5) / 18)
