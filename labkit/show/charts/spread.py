"""Words beside each other: boxes moved apart, as little as it takes."""

from __future__ import annotations

from collections.abc import Sequence


def spread(
    middles: Sequence[float], heights: Sequence[float], low: float = 0.0, high: float = 1.0
) -> list[float]:
    """Return the middles of boxes that lie over each other, moved until none does.

    Where they do not all fit, the last ones stay within and the first ones leave the range.

    Args:
        middles: Where each would be, in rising order.
        heights: How high each is.
        low: Where the range begins.
        high: Where it ends.
    """
    moved: list[float] = []
    for middle, height in zip(middles, heights, strict=True):
        moved.append(max(middle, low + height / 2))
        low = moved[-1] + height / 2
    for place in reversed(range(len(moved))):
        moved[place] = min(moved[place], high - heights[place] / 2)
        high = moved[place] - heights[place] / 2
    return moved
