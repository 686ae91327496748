"""Parts of the steps: whether a change lies where the machine can have made it.

A machine that gets slower slows all that a step does, each part by a few tenths. So a step of which
all parts take longer alike has not got it from the loop, if its work is the same. What a step does
besides is the best canary there is: it uses the same caches and the same memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from labkit.record import Verdict
from labkit.stats.series import Numbers
from labkit.stats.uncertainty import change, risen, withdrawn

# A part that takes next to nothing at first must not seem to grow without limit.
FLOOR_SHARE = 0.02
# With a tenth of the step in parts too small to ask, three large ones held 0.595 of a sound loop.
LARGE_SHARE, FEWEST_LARGE, TOGETHER = 0.05, 3, 0.5
ALIKE = (0.4, 2.0)
LARGEST_ALIKE = 1.5


def without_common_growth(claim: Verdict, seconds: Numbers, parts: Sequence[Numbers]) -> Verdict:
    """Withdraw a claim where all large parts of the steps take longer alike, and so does the rest.

    Args:
        claim: That steps became slower that do as much work as before.
        seconds: The step times, shape (steps,).
        parts: What each part of the steps took, same shape.
    """
    typical = float(np.median(seconds))
    large = [part for part in parts if np.median(part) >= LARGE_SHARE * typical]
    together = sum(float(np.median(part)) for part in large)
    if not claim.slower or len(large) < FEWEST_LARGE or together < TOGETHER * typical:
        return claim
    size = change(claim, 1).size
    if size > math.log(LARGEST_ALIKE):
        return claim
    rest = np.maximum(seconds - np.sum(parts, axis=0), 0.0)
    if np.median(rest) >= LARGE_SHARE * typical:
        large.append(rest)
    rises = [risen(np.log(part + FLOOR_SHARE * typical), claim) for part in large]
    whole = risen(np.log(seconds), claim)
    if not all(ALIKE[0] * whole <= rise <= ALIKE[1] * whole for rise in rises):
        return claim
    return withdrawn(claim, size)
