"""Unrest: a machine that takes longer for seconds at a time, and what that leaves in doubt.

Where programs of another guest come and go on the other half of a core, a canary takes 10 to 30 %
longer for seconds at a time. Steps that use both cores meet more of that than a canary can tell:
measured on flat loops, up to 1.9 times as much, and not at the same moments. So nothing is taken
away for it; a change must be larger than that to be believed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import median_filter

from labkit.record import Verdict
from labkit.stats.doubt import risen
from labkit.stats.noise import long_run_variance
from labkit.stats.series import Numbers

FEWEST_READINGS = 12
SMOOTHING_READINGS = 5
# A canary on a machine of its own keeps to 4 %.
LEAST_SPREAD = 0.05
FOLLOWED = 2.0
# Of what a canary wanders: to and fro it may have ended where it began, and the steps not.
LEAST_DOUBT = 0.5


@dataclass(frozen=True)
class Unrest:
    """How the canary of a restless machine moved; all sizes are differences of logarithms.

    Args:
        spread: How far apart its low and its high readings are, a tenth left out at each end.
        machine: The logarithm of its smoothed readings at each step, shape (steps,).
        error: The standard error of the rise of such a machine, last third over first.
    """

    spread: float
    machine: Numbers
    error: float

    def level_doubt(self) -> float:
        """Return how far the level of flat steps may wander."""
        return FOLLOWED * self.spread

    def change_doubt(self, claim: Verdict) -> float:
        """Return half the 95 % interval of the change that the machine may have made alone."""
        moved = math.hypot(FOLLOWED * float(risen(self.machine, claim)), 1.96 * self.error)
        return max(LEAST_DOUBT * self.spread, moved)


def unrest(canary_seconds: Numbers) -> Unrest | None:
    """Return how a machine was restless, None where it was calm or the canary was run too seldom.

    Args:
        canary_seconds: Time of the canary at each step; NaN where it was not run, shape (steps,).
    """
    read = np.flatnonzero(np.isfinite(canary_seconds) & (canary_seconds > 0))
    if len(read) < FEWEST_READINGS:
        return None
    smooth = median_filter(np.log(canary_seconds[read]), size=SMOOTHING_READINGS, mode="nearest")
    spread = float(np.ptp(np.quantile(smooth, (0.1, 0.9))))
    if spread <= LEAST_SPREAD:
        return None
    # Of two means over a third each.
    error = math.sqrt(6 * long_run_variance(smooth - smooth.mean(), 1) / len(read))
    machine = np.interp(np.arange(len(canary_seconds)), read, smooth)
    return Unrest(spread, machine, error)
