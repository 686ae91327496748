"""The ratio of two means: how long the steps of one run take in all, over those of another.

Spikes count: a step in ten that takes 1.5 s costs more than the nine others together, and the
usual step knows nothing of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from labkit.stats.noise import standard_error, t_quantile
from labkit.stats.series import Numbers


@dataclass(frozen=True)
class MeanRatio:
    """How long the steps of the second run take in all, over as many of the first.

    Args:
        ratio: Second over first.
        low: Lower end of its 95 % interval, which is about these two runs.
        high: Upper end of it.
        different: Whether the runs differ in this, and neither noise nor others can have made it.
    """

    ratio: float
    low: float
    high: float
    different: bool


@dataclass(frozen=True)
class Mean:
    """A mean and what it may be off by.

    Args:
        log_seconds: Its logarithm.
        error: The standard error of that.
        points: How many steps it comes from.
    """

    log_seconds: float
    error: float
    points: int


def mean_of(times: Numbers) -> Mean:
    """Return the mean of some steps.

    Args:
        times: Of each step in order, in seconds; at least three.
    """
    count, mean = len(times), float(times.mean())
    places = np.arange(count) - (count - 1) / 2
    # A straight line is taken out first: that a run grows does not make its mean uncertain.
    slope = float(places @ times) / float(places @ places)
    residuals = (times - mean - slope * places) / mean
    return Mean(math.log(mean), standard_error(np.full(count, 1 / count), residuals, 2), count)


def half_width(first: Mean, second: Mean, probability: float) -> float:
    """Return half the interval of the difference of two means' logarithms.

    Args:
        first: Of the first run.
        second: Of the second.
        probability: The quantile's, e.g. 0.975 for 95 %.
    """
    quantile = t_quantile(probability, min(first.points, second.points))
    return quantile * math.hypot(first.error, second.error)
