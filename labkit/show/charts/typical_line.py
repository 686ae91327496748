"""Where the thick line of a stretch lies: on the typical steps of the curve that is drawn.

A verdict's first and last level are those of a model, corrected for the machine. A straight line
between them lies beside a curve that bends, and looks wrong though the verdict is right.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Corner = tuple[int, float]
# As many bends as show a shape, each of enough steps for a median.
MOST_PARTS = 8
STEPS_A_PART = 12


def level(seconds: NDArray[np.float64], begin: int, end: int) -> list[Corner]:
    """Return the ends of a level line.

    Args:
        seconds: The step times that are drawn.
        begin: The first step of the line.
        end: The last step of it.
    """
    high = float(np.median(seconds[begin : end + 1]))
    return [(begin, high), (end, high)]


def bends(seconds: NDArray[np.float64], begin: int, end: int) -> list[Corner]:
    """Return the corners of a line that climbs or falls as the steps do; arguments as of `level`.

    A part's median is its middle's. The ends lie as far beyond the outermost medians as the slope
    there says.
    """
    count = end + 1 - begin
    parts = max(1, min(MOST_PARTS, count // STEPS_A_PART))
    if parts < 2:
        return level(seconds, begin, end)
    edges = np.linspace(begin, end + 1, parts + 1).round().astype(int)
    middles = [(low + high - 1) / 2 for low, high in pairwise(edges)]
    highs = [float(np.median(seconds[low:high])) for low, high in pairwise(edges)]
    first = _beyond(begin, *zip(middles[:2], highs[:2], strict=True))
    last = _beyond(end, *zip(middles[:-3:-1], highs[:-3:-1], strict=True))
    inner = [(round(at), high) for at, high in zip(middles, highs, strict=True)]
    return [(begin, first), *inner, (end, last)]


def _beyond(at: float, near: tuple[float, float], far: tuple[float, float]) -> float:
    """Return the height at a place beyond a point, on the line from another through it."""
    slope = (near[1] - far[1]) / (near[0] - far[0])
    return max(near[1] + slope * (at - near[0]), min(near[1], far[1]) / 2)
