"""Noise that remembers: spread, long-run variance and standard errors of autocorrelated series.

Neighbouring steps are slow together, so formulas for independent noise see trends everywhere
(32 % false alarms at an autocorrelation of 0.9). And what lies far off counts, but no more than a
moderate error would: a neighbour's burst lifts every tenth step by half, and as plain residuals
such steps would make any trend look uncertain. Everything here is about residuals; it says nothing
of what was fitted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from labkit.stats.series import Numbers

# No clock and no machine repeats a step more closely than 0.01 %; also keeps noiseless series from
# dividing by zero.
QUIETEST = 1e-4
# At 1.5 spreads a normal error loses 4 % of its efficiency (Huber 1964).
REACH_SPREADS = 1.5
SHORTEST_REACH = 0.02


def spread(values: Numbers) -> float:
    """Return the standard deviation as the median absolute deviation sees it, deaf to outliers."""
    return max(QUIETEST, 1.4826 * median(np.abs(values - median(values))))


def median(values: Numbers) -> float:
    """Return the median, in a fifth of numpy's time for short series; a verdict takes fifty."""
    middle = len(values) // 2
    if len(values) % 2:
        return float(np.partition(values, middle)[middle])
    pair = np.partition(values, (middle - 1, middle))
    return float(pair[middle - 1] + pair[middle]) / 2


def lower_quartile(values: Numbers) -> float:
    """Return the lower quartile, in between two values by the line through them."""
    below, part = divmod(len(values) - 1, 4)
    pair = np.partition(values, (below, min(below + 1, len(values) - 1)))[below : below + 2]
    return float(pair[0] + part / 4 * (pair[-1] - pair[0]))


@dataclass(frozen=True)
class DrawnIn:
    """Residuals limited to a reach on either side.

    Args:
        residuals: Shape (points,).
        share: The share of them that the limit left alone.
    """

    residuals: Numbers
    share: float


def drawn_in(residuals: Numbers) -> DrawnIn:
    """Limit residuals to 1.5 robust spreads (Huber 1964).

    An estimate whose limited residuals balance has a standard error of that of the limited
    residuals over `share`.
    """
    # A coarse clock gives most steps the very same time: a spread near zero must not flatten all.
    reach = max(REACH_SPREADS * spread(residuals), SHORTEST_REACH)
    limited = np.clip(residuals, -reach, reach)
    return DrawnIn(limited, max(0.3, float(np.mean(limited == residuals))))


def autocorrelation(residuals: Numbers, fitted: int) -> float:
    """Return the lag-1 autocorrelation, from 0 to 0.97, corrected for its downward bias.

    Args:
        residuals: Shape (points,).
        fitted: How many parameters were fitted; each takes about one part in n of it (Kendall
            1954; Marriott and Pope 1954).
    """
    power = float(residuals @ residuals)
    if power <= len(residuals) * QUIETEST**2:
        return 0.0
    raw = float(residuals[:-1] @ residuals[1:]) / power
    return min(0.97, max(0.0, raw + (fitted + (fitted + 2) * raw) / len(residuals)))


def effective_points(residuals: Numbers, fitted: int) -> float:
    """Return how many independent points such residuals are worth, at least 10."""
    rho = autocorrelation(residuals, fitted)
    return max(10.0, len(residuals) * (1 - rho) / (1 + rho))


def long_run_variance(residuals: Numbers, fitted: int) -> float:
    """Return the variance a mean of n such values has, times n; the largest of three estimates.

    White noise, an AR(1) process and means of batches of about sqrt(n): noise that looks harmless
    to one of them (bursts, slow waves) is seen by another.
    """
    n = len(residuals)
    white = float(residuals @ residuals) / max(1, n - fitted)
    rho = autocorrelation(residuals, fitted)
    width = max(2, round(math.sqrt(n)))
    whole = n // width
    batches = 0.0
    if whole > fitted:
        means = residuals[: whole * width].reshape(whole, width).mean(axis=1)
        batches = width * float(means @ means) / (whole - fitted)
    return max(QUIETEST**2, white * (1 + rho) / (1 - rho), batches)


def cosines(n: int) -> int:
    """Return how many cosines to average over (Lazarus, Lewis, Stock and Watson 2018)."""
    return max(2, int(0.4 * n ** (2 / 3) + 1e-9))


def standard_error(weights: Numbers, residuals: Numbers, fitted: int) -> float:
    """Return the standard error of the weighted sum of a series, by equal-weighted cosines.

    The larger of that and of what an AR(1) process would give: with strong memory the cosines
    reach beyond the slow part of the spectrum and are too small (coverage 0.65 instead of 0.95
    at n = 60 and an autocorrelation of 0.9).

    Args:
        weights: Shape (points,); the quantity is ``weights @ series``.
        residuals: The series less what was fitted to it, same shape.
        fitted: How many parameters were fitted.
    """
    n = len(residuals)
    count = cosines(n)
    # scipy's cosine transform is twice the plain sum.
    sums = scipy.fft.dct(weights * residuals, type=2)[1 : count + 1] / 2
    variance = 2 * float(np.mean(sums**2)) * n / max(1, n - fitted)
    rho = autocorrelation(residuals, fitted)
    white = float(residuals @ residuals) / max(1, n - fitted)
    remembered = white * (1 + rho) / (1 - rho) * float(weights @ weights)
    return math.sqrt(max(variance, remembered, QUIETEST**2 * float(weights @ weights)))


def t_quantile(probability: float, n: int) -> float:
    """Return the quantile of Student's t that goes with `standard_error` of n points."""
    return float(scipy.special.stdtrit(cosines(n), probability))
