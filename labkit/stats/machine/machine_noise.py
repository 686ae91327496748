"""A machine that takes longer for seconds at a time, and how far steps may wander because of it.

Where programs of another guest come and go on the other half of a core, a canary takes 10 to 30 %
longer for seconds at a time. Steps that use both cores meet more of that than a canary can tell:
measured on flat loops, up to 1.9 times as much, and not at the same moments. So nothing is taken
away for it; a level that wanders must wander further than that to be called unsteady.
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import median_filter

from labkit.stats.series import Numbers

FEWEST_READINGS = 12
SMOOTHING_READINGS = 5
# A canary on a machine of its own keeps to 4 %.
LEAST_SPREAD = 0.05
FOLLOWED = 2.0


def wandering_doubt(canary_seconds: Numbers) -> float:
    """Return how far the level of flat steps may wander on this machine, as a logarithm.

    Args:
        canary_seconds: Time of the canary at each step; NaN where it was not run, shape (steps,).
    """
    read = np.flatnonzero(np.isfinite(canary_seconds) & (canary_seconds > 0))
    if len(read) < FEWEST_READINGS:
        return 0.0
    smooth = median_filter(np.log(canary_seconds[read]), size=SMOOTHING_READINGS, mode="nearest")
    spread = float(np.ptp(np.quantile(smooth, (0.1, 0.9))))
    return FOLLOWED * spread if spread > LEAST_SPREAD else 0.0
