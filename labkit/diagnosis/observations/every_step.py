"""Whether a counter rises at nearly every step: what happens at each of them is no chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

EVERY_STEP = 0.8


def rises_at_every_step(values: ArrayLike) -> bool:
    """Tell whether a counter rises by one and more at nearly every step, early as late.

    What it falls by now and then does not count: graphs that were built before the loop are taken
    away by a collection in the midst of it, while the loop's own grow on.

    Args:
        values: The counter after each step, in order.
    """
    moves = np.diff(np.asarray(values, dtype=np.float64))
    halves = np.array_split(moves, 2)
    return all(half.size and (half >= EVERY_STEP).mean() >= EVERY_STEP for half in halves)
