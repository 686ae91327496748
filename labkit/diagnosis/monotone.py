"""The climb of a counter: whether it rises for ever, by how much a step, and whether at each.

What rises at first and then rests is a cache that filled. What rises and falls back is garbage on
its way to the collector. Only what still rises at the end, as it did before, will rise for ever, as
far as a run can tell.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.record import Run
from labkit.record.diagnosis import Climb

PARTS = 4
FEWEST_READINGS = 8
# Sampling is eager at first, and where ever more is kept each reading takes longer, so that few may
# be left once the loop has settled: a loop that kept 1,055 figures was said to keep nothing.
FEWEST_SETTLED = 4
# Of the run, the first part is left to whatever has to be built once.
SETTLING_SHARE = 0.2
SETTLING_STEPS = 10
# The last part must rise by this much of what a part rises on average.
STILL_RISING = 0.4
# Falls, all together, in terms of rises.
MOST_FALLING = 0.2
EVERY_STEP = 0.8
# What mostly rests must have made nearly all of its rise in so many moves or more: one that is
# traced for four sizes of picture in turn climbs four stairs, and there are no more sizes.
FEWEST_STAIRS, NEARLY_ALL, RESTS = 6, 0.9, 0.1
# What takes twice the room whenever it is full rises for ever in few stairs, each of them larger.
FEWEST_LARGER, MOST_LARGER, LARGER = 3, 12, 1.25


def climb(
    name: str, steps: Sequence[int], values: Sequence[float], *, least_rise: float
) -> Climb | None:
    """Return the climb of a counter, None where it rests, comes back, or was read too seldom.

    Args:
        name: The counter.
        steps: After how many steps it was read, rising.
        values: What was read then, as many; those that are not finite are left out.
        least_rise: A smaller rise in all is none; for an exact counter a few units, for one that
            is noisy more than its noise.
    """
    at, read = np.asarray(steps, dtype=np.float64), np.asarray(values, dtype=np.float64)
    finite = np.isfinite(read)
    at, read = at[finite], read[finite]
    if at.size < FEWEST_READINGS or at[-1] <= at[0]:
        return None
    settled = at >= at[0] + SETTLING_SHARE * (at[-1] - at[0])
    chosen = max(FEWEST_SETTLED, int(np.count_nonzero(settled & (at >= SETTLING_STEPS))))
    at, read = at[-chosen:], read[-chosen:]
    if at[0] < SETTLING_STEPS:
        return None
    rise = float(read[-1] - read[0])
    if rise < least_rise:
        return None
    moves = np.diff(read)
    if _is_few_stairs(np.diff(at), moves):
        return None
    if -moves[moves < 0].sum() > MOST_FALLING * moves[moves > 0].sum():
        return None
    parts = _rises(at, read)
    if (parts <= 0).any() or parts[-1] < STILL_RISING * parts.mean():
        return None
    return Climb(name, rise / float(at[-1] - at[0]), float(read[0]), float(read[-1]))


def _is_few_stairs(apart: NDArray[np.float64], moves: NDArray[np.float64]) -> bool:
    """Tell whether a rise is made of a few moves, and the counter rested in most others."""
    return _mostly_rests(apart, moves) and _stairs(moves).size < FEWEST_STAIRS


def _mostly_rests(apart: NDArray[np.float64], moves: NDArray[np.float64]) -> bool:
    slopes = moves / np.maximum(apart, 1.0)
    return bool(np.median(slopes) < RESTS * moves.sum() / apart.sum())


def _stairs(moves: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the places of the largest moves that make nearly all of a rise, in their order."""
    so_far = np.cumsum(np.sort(moves)[::-1])
    count = int(np.searchsorted(so_far, NEARLY_ALL * moves.sum())) + 1
    return np.sort(np.argsort(moves)[-count:])


def rises_in_ever_larger_stairs(
    steps: Sequence[int], values: Sequence[float], *, least_rise: float
) -> bool:
    """Tell whether nearly all of a rise are a few stairs, each larger than the one before.

    So grows a buffer, or a memory pool, that takes twice the room whenever it is full. No run can
    tell whether there will be another stair, for the latest came late and is most of the rise.

    Args:
        steps: After how many steps it was read, rising.
        values: What was read then, as many; those that are not finite are left out.
        least_rise: A smaller rise in all is none.
    """
    at, read = np.asarray(steps, dtype=np.float64), np.asarray(values, dtype=np.float64)
    chosen = np.isfinite(read) & (at >= SETTLING_STEPS)
    at, read = at[chosen], read[chosen]
    if at.size < FEWEST_READINGS:
        return False
    apart, moves = np.diff(at), np.diff(read)
    if moves.sum() < least_rise or not _mostly_rests(apart, moves):
        return False
    if -moves[moves < 0].sum() > MOST_FALLING * moves[moves > 0].sum():
        return False
    stairs = _stairs(moves)
    larger = moves[stairs][1:] >= LARGER * moves[stairs][:-1]
    late = at[stairs[-1]] >= at[0] + (at[-1] - at[0]) / 2
    return bool(FEWEST_LARGER <= stairs.size <= MOST_LARGER and larger.all() and late)


def _rises(at: NDArray[np.float64], read: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rise within each of some parts of equal length."""
    edges = np.linspace(at[0], at[-1], PARTS + 1)
    return np.diff(np.interp(edges, at, read))


def rises_at_every_step(run: Run, counters: Sequence[str], *, first: int = 0) -> bool:
    """Tell whether one of some counters rises by one and more at nearly every step.

    Early as late: what happens at each step is no chance. What a counter falls by now and then does
    not count: graphs that were built before the loop are taken away by a collection in the midst of
    it, while the loop's own grow on.

    Args:
        run: Any run.
        counters: Names of columns; those that were not recorded do not rise.
        first: The step to begin with.
    """
    for name in counters:
        if name not in run.steps.names:
            continue
        moves = np.diff(np.asarray(run.steps.column(name)[first:], dtype=np.float64))
        halves = np.array_split(moves, 2)
        if all(half.size and (half >= EVERY_STEP).mean() >= EVERY_STEP for half in halves):
            return True
    return False
