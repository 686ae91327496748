"""A few times, too few for `judge`: do they rise, one after the other?

What is done once an epoch is seen six or twenty times and no more. Whether it rises is told by the
order alone (Kendall's tau, exact for few), and by how much by the median of all slopes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy

from labkit.record import Verdict
from labkit.stats.judge import too_short
from labkit.stats.noise import t_quantile
from labkit.stats.series import Numbers, read_seconds

FEWEST = 6
# Six that rise from one to the next are one order of 720.
MOST_BY_CHANCE = 0.005
# A machine that gets slower by a tenth makes an order, too.
LEAST_GROWTH = 0.25


def judge_few(seconds: Sequence[float] | Numbers) -> Verdict:
    """Say whether a few times rise from the first to the last.

    Args:
        seconds: Each time, in order, in seconds.

    Returns:
        ``slowdown`` where they rise by a quarter at least, with a 95 % interval that lies above
        nothing; else ``too_short``.

    Raises:
        LabkitError: If a time is not a finite number above zero.
    """
    times = read_seconds(seconds)
    count = len(times)
    if count < FEWEST:
        return too_short(count)
    places = np.arange(count)
    if scipy.stats.kendalltau(places, times, alternative="greater").pvalue > MOST_BY_CHANCE:
        return too_short(count)
    slope, intercept, _, _ = scipy.stats.theilslopes(times, places, 0.95)
    line = np.clip(intercept + slope * places, times.min(), None)
    first, last = float(line[0]), float(line[-1])
    growth, half = last / first - 1, _half_interval(times / line)
    low, high = (1 + growth) * np.exp([-half, half]) - 1
    if growth < LEAST_GROWTH or low <= 0:
        return too_short(count)
    return Verdict(
        "slowdown", growth, float(low), float(high), steps=count, first_seconds=first,
        last_seconds=last,
    )  # fmt: skip


def _half_interval(ratios: Numbers) -> float:
    """Return half the 95 % interval of the logarithm of last over first.

    Args:
        ratios: Each time over what the line has there. The ends of a line through n points with
            noise of 1 have errors of sqrt(4 / n), and go against each other.
    """
    count = len(ratios)
    noise = float(scipy.stats.median_abs_deviation(ratios, scale="normal")) * math.sqrt(
        count / (count - 2)
    )
    return t_quantile(0.975, count - 2) * noise * math.sqrt(12 / count)
