"""Interference: stretches in which the machine, not the loop, was slower.

A level that goes up and comes back is a neighbour at work; it must not tilt a trend. What lasts to
the end of the run cannot be told from a step and is set aside only while it is too short to judge.
"""

from __future__ import annotations

import numpy as np

from labkit.stats.series import Mask
from labkit.stats.shape.changepoints import SMALLEST_CHANGE, Levels

LONGEST_SHARE = 0.22
LARGEST_SHARE = 0.35


def shortest_last_level(points: int) -> int:
    """Return how long the last level must hold before it may be called a change of the loop."""
    return max(18, round(0.15 * points))


def excursions(levels: Levels) -> Mask:
    """Mark the points on levels that go up and come back, shape (points,).

    Each at most 22 % of the series long; where they would be more than 35 % together, none is.
    """
    total = levels.edges[-1]
    marked = np.zeros(total, dtype=np.bool_)
    count = len(levels.values)
    first = 1
    while first < count - 1:
        last = _end_of_excursion(levels, first, total)
        if last is None:
            first += 1
            continue
        marked[levels.edges[first] : levels.edges[last + 1]] = True
        first = last + 2
    return marked if marked.mean() <= LARGEST_SHARE else np.zeros_like(marked)


def _end_of_excursion(levels: Levels, first: int, total: int) -> int | None:
    """Return the last level of the excursion that begins with `first`, None where none does."""
    before = levels.values[first - 1]
    for last in range(first, len(levels.values) - 1):
        if levels.edges[last + 1] - levels.edges[first] > LONGEST_SHARE * total:
            return None
        lowest = min(levels.values[first : last + 1])
        after = levels.values[last + 1]
        height = lowest - max(before, after)
        if height >= SMALLEST_CHANGE and abs(after - before) <= 0.35 * (lowest - before):
            return last
    return None


def late_rise(levels: Levels) -> int:
    """Return from where on a series is higher for too short a time to judge; else its length.

    What counts is how long the levels lie above half of the whole rise: a last level may be short
    if those before it were high already.
    """
    total, start = levels.edges[-1], risen(levels)
    return start if total - start < shortest_last_level(total) else total


def risen(levels: Levels) -> int:
    """Return from where on all levels lie above half of the rise from the first to the last."""
    total = levels.edges[-1]
    rise = levels.values[-1] - levels.values[0]
    if rise <= 0:
        return 0
    low = [at for at, value in enumerate(levels.values) if value < levels.values[0] + rise / 2]
    return min(total, levels.edges[low[-1] + 1])


def one_way(levels: Levels) -> bool:
    """Tell whether all changes go the same way."""
    changes = np.asarray(levels.changes)
    return bool((changes > 0).all() or (changes < 0).all())
