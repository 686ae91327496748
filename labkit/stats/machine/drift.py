"""The machine's own drift, as a canary shows it, and how much of it the steps share.

On a shared host the floor of all step times moves by 7 to 10 % for long stretches. A canary that
moves alike tells this from a loop that became slower. How far steps follow their canary is asked of
the series itself: a step that waits instead of computing does not follow at all.

Where programs of another guest come and go on the other half of a core, a canary takes 10 to 30 %
longer for seconds at a time. Steps that use both cores meet more of that than a canary can tell:
measured on flat loops, up to 1.9 times as much, and not at the same moments. So nothing is taken
away for it; a level that wanders must wander further than that to be called unsteady.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from labkit.stats.machine.readings import Machine
from labkit.stats.noise import long_run_variance
from labkit.stats.series import Numbers

FEWEST_READINGS = 24
MOST_BLOCKS = 40
SMALLEST_DRIFT = 0.02
SMOOTHING_READINGS = 9
# Before a series is asked, it is taken to follow its canary as far as it computes, give or take.
PRIOR_ERROR = 0.3
MOST_FOLLOWED = 1.5
LEAST_DOUBT = 0.7
FEWEST_TO_WANDER, WANDERING_READINGS = 12, 5
# A canary on a machine of its own keeps to 4 %.
LEAST_SPREAD = 0.05
FOLLOWED = 2.0


@dataclass(frozen=True)
class Drift:
    """How much slower the machine was than at the start of the run.

    Args:
        rise: The canary's own drift from start to end, as a difference of logarithms.
        shared: What the steps share of it, shape (steps,); to be taken from their logarithms.
        error: The standard error of that part's rise from start to end.
    """

    rise: float
    shared: Numbers
    error: float

    def half_width(self) -> float:
        """Return half the 95 % interval of the rise that is taken away, as a logarithm.

        At least seven tenths of the machine's own: steps that go to the memory may suffer more than
        a canary that stays in the caches. Measured once on a host that became 15 % slower: a flat
        loop, corrected for that, still seemed to take 10 % longer.
        """
        return max(1.96 * self.error, LEAST_DOUBT * abs(self.rise))

    @property
    def growth(self) -> float:
        """How much slower the machine was at the end than at the start, as a share."""
        return float(np.expm1(self.rise))


def shared_drift(times: Numbers, machine: Machine) -> Drift | None:
    """Return the drift in step times, None where there was none; waiting steps share less of it."""
    computing = float(np.clip(np.median(machine.processor_seconds / times), 0.0, 1.0))
    return drift(np.log(times), machine.canary_seconds, computing)


def drift(log_seconds: Numbers, canary_seconds: Numbers, computing: float = 1.0) -> Drift | None:
    """Return the drift of the machine, None where the canary shows none or was run too seldom.

    Args:
        log_seconds: Logarithms of the step times, shape (steps,).
        canary_seconds: Time of the canary at each step; NaN where it was not run, same shape.
        computing: The share of a step's wall time in which it computes, from 0 to 1.
    """
    read, readings = canary_readings(canary_seconds)
    if len(read) < FEWEST_READINGS:
        return None
    width = max(SMOOTHING_READINGS, len(readings) // 40) | 1
    smooth = scipy.ndimage.median_filter(readings, size=width, mode="nearest")
    machine = np.interp(np.arange(len(log_seconds)), read, smooth)
    machine -= level(machine, 0)
    if np.ptp(machine) < SMALLEST_DRIFT:
        return None
    followed, error = followed_by(log_seconds, machine, len(read) // 2, computing)
    rise = level(machine, -1) - level(machine, 0)
    return Drift(rise, followed * machine, error * abs(rise))


def wandering_doubt(canary_seconds: Numbers) -> float:
    """Return how far the level of flat steps may wander on this machine, as a logarithm.

    Args:
        canary_seconds: Time of the canary at each step; NaN where it was not run, shape (steps,).
    """
    _, readings = canary_readings(canary_seconds)
    if len(readings) < FEWEST_TO_WANDER:
        return 0.0
    smooth = scipy.ndimage.median_filter(readings, size=WANDERING_READINGS, mode="nearest")
    spread = float(np.ptp(np.quantile(smooth, (0.1, 0.9))))
    return FOLLOWED * spread if spread > LEAST_SPREAD else 0.0


def canary_readings(canary_seconds: Numbers) -> tuple[NDArray[np.intp], Numbers]:
    """Return at which steps the canary was run, and the logarithms of what it took there."""
    read = np.flatnonzero(np.isfinite(canary_seconds) & (canary_seconds > 0))
    return read, np.log(canary_seconds[read])


def level(values: Numbers, end: int) -> float:
    """Return the median of the first tenth (end 0) or of the last tenth (end -1)."""
    tenth = max(1, len(values) // 10)
    return float(np.median(values[:tenth] if end == 0 else values[-tenth:]))


def followed_by(
    log_seconds: Numbers, machine: Numbers, blocks: int, prior: float
) -> tuple[float, float]:
    """Return how far the steps follow the machine (1 is wholly), and the standard error of that.

    A trend of the loop must not be taken for drift, so both series are compared without their
    line and bend; what was expected beforehand decides where that leaves little to compare.

    Args:
        log_seconds: Logarithms of the step times, shape (steps,).
        machine: What they may follow, same shape.
        blocks: Into how many parts the series are cut, at most; their medians are compared.
        prior: How far they are expected to follow.
    """
    parts = np.array_split(np.arange(len(machine)), max(4, min(MOST_BLOCKS, blocks)))
    steps = np.array([np.median(log_seconds[part]) for part in parts])
    pace = np.array([np.median(machine[part]) for part in parts])
    trends = np.vander(np.linspace(-1, 1, len(parts)), 3)
    hat = trends @ np.linalg.pinv(trends)
    steps, pace = steps - hat @ steps, pace - hat @ pace
    power = float(pace @ pace)
    best = float(pace @ steps) / max(power, 1e-12)
    seen = power / long_run_variance(steps - best * pace, 4)
    expected = 1 / PRIOR_ERROR**2
    followed = (seen * best + expected * prior) / (seen + expected)
    return min(MOST_FOLLOWED, max(0.0, followed)), (seen + expected) ** -0.5
