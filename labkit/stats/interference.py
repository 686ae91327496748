"""Interference: stretches in which the machine, not the loop, was slower.

A level that goes up and comes back is a neighbour at work; it must not tilt a trend. What lasts to
the end of the run cannot be told from a step and is set aside only while it is too short to judge.
"""

from __future__ import annotations

import numpy as np

from labkit.stats.levels import SMALLEST_CHANGE, Levels
from labkit.stats.series import Mask

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


def late_rise(levels: Levels) -> Mask:
    """Mark a last level that is higher but too short to judge, after one single level."""
    total = levels.edges[-1]
    marked = np.zeros(total, dtype=np.bool_)
    if len(levels.values) == 2 and levels.changes[0] > 0:
        start = levels.edges[1]
        marked[start:] = total - start < shortest_last_level(total)
    return marked
