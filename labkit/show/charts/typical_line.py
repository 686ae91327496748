"""Where the thick line of a stretch lies: on the typical steps of the curve that is drawn.

A verdict's first and last level are those of a model. A straight line between them lies beside a
curve that bends, and looks wrong though the verdict is right; one that ends elsewhere says another
growth than the headline above it. So the line bends as the curve does, and ends at the verdict's
levels as far as there are such steps.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Corner = tuple[int, float]
# As many bends as show a shape, each of enough steps for a median.
MOST_PARTS = 8
STEPS_A_PART = 12
LED = 3  # parts at each end within which the line goes over to the verdict's level


def bends(
    seconds: NDArray[np.float64], begin: int, end: int, first: float, last: float
) -> list[Corner]:
    """Return the corners of a line that climbs or falls as the steps do.

    A part's median is its middle's.

    Args:
        seconds: The step times that are drawn.
        begin: The first step of the line.
        end: The last step of it.
        first: The level at its beginning by the verdict, in seconds.
        last: That at its end.
    """
    parts = max(1, min(MOST_PARTS, (end + 1 - begin) // STEPS_A_PART))
    edges = np.linspace(begin, end + 1, parts + 1).round().astype(int)
    inner = [
        (round((low + high - 1) / 2), float(np.median(seconds[low:high])))
        for low, high in pairwise(edges)
    ]
    ends = (
        (begin, among(seconds[edges[0] : edges[1]], first)),
        (end, among(seconds[edges[-2] : edges[-1]], last)),
    )
    if parts < 2:
        return [*ends]
    # In the outermost part alone it would be a hook that no step has.
    inner = _led(inner, ends[0])
    inner = _led(inner[::-1], ends[1])[::-1]
    return [ends[0], *inner, ends[1]]


def _led(corners: list[Corner], end: Corner) -> list[Corner]:
    """Return the corners nearest to an end brought nearer to it, each less than the one before."""
    near, far = corners[:2]
    slope = (near[1] - far[1]) / (near[0] - far[0])
    beyond = max(near[1] + slope * (end[0] - near[0]), min(near[1], far[1]) / 2)
    apart = end[1] / beyond
    return [
        (at, high * apart ** max(0.0, 1 - (place + 1) / LED))
        for place, (at, high) in enumerate(corners)
    ]


def among(seconds: NDArray[np.float64], wanted: float) -> float:
    """Return a level no lower than the shortest of some steps and no higher than the longest."""
    return float(np.clip(wanted, seconds.min(), seconds.max()))
