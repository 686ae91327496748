"""A start that settles like an exponential: caches that fill, a compiler that warms up.

It finds the decay only; where the warm-up ends is decided beside the other kinds of slow starts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from labkit.stats.noise import long_run_variance, median, spread
from labkit.stats.series import Numbers

# Decays from one point to many, each a quarter longer than the one before.
DECAY_TIMES = tuple(1.25**power for power in range(20))
LEFT_OVER = 0.02
CUT_RISE = math.log(1.08)
# Noise of one kind passes four standard errors in 1 of 30,000 runs; a dozen decay times are tried,
# few of them unlike each other.
GATE = 4.0


@dataclass(frozen=True)
class Decay:
    """A start that is slower and settles like an exponential.

    Args:
        height: How much higher the first point is, as a logarithm.
        time: After how many points the height is down to 1/e.
        squares: The squared residuals around it, with far residuals drawn in.
        over: After how many points no more than 2 % of it are left, or the points are lowest.
    """

    height: float
    time: float
    squares: float
    over: int


def find_decay(points: Numbers) -> Decay | None:
    """Return the decay at the start of a series, None where noise could have made it.

    A parabola is fitted beside it: growth that begins slowly has a start above its own line, and
    is no warm-up.

    Args:
        points: Logarithms of step times, shape (points,).
    """
    n = len(points)
    position = np.linspace(-1.0, 1.0, n)
    smooth = np.linalg.qr(np.vander(position, 3))[0]
    times = np.array([time for time in DECAY_TIMES if time <= n / 8])
    decays = np.exp(-np.arange(n) / times[:, None])
    bare = decays - (decays @ smooth) @ smooth.T
    powers = np.square(bare).sum(axis=1)
    # The middle of three lets no single spike through; a wider one would flatten the decay.
    values = np.asarray(
        scipy.ndimage.median_filter(points, size=3, mode="nearest"), dtype=np.float64
    )
    for _ in range(4):
        heights = (bare @ values) / powers
        best = int(np.argmax(np.where(heights > 0, heights**2 * powers, -1.0)))
        slow = values - heights[best] * decays[best]
        fitted = heights[best] * decays[best] + smooth @ (smooth.T @ slow)
        left = points - fitted
        reach = max(3 * spread(left), 0.02)
        left = np.clip(left, -reach, reach)
        values = fitted + left
    height = float(heights[best])
    # Growth that begins slowly may look like a decay beside a parabola, but nothing falls there.
    falls = float(fitted[0] - fitted.min()) >= CUT_RISE
    weights = bare[best] / powers[best]
    # However long the noise remembers, a weighted sum varies no more than the weights in one row.
    error = min(
        math.sqrt(long_run_variance(left, 5) * float(weights @ weights)),
        float(left.std()) * float(np.abs(weights).sum()),
    )
    if not falls or height < max(CUT_RISE, GATE * error):
        return None
    time = float(times[best])
    over = _over(points, math.ceil(time * math.log(height / LEFT_OVER)), width=math.ceil(time / 3))
    return Decay(height, time, float(left @ left), over) if over else None


def _over(points: Numbers, over: int, *, width: int) -> int:
    """Return where a slow start ends that should end at a point, 0 where nothing falls before.

    A parabola has no knee, and a decay beside it makes one: steps that rest and then climb were
    said to be in a warm-up for as long as they rest. Where what follows is above the start, the
    warm-up ends where the points themselves are first as low as they get.

    Args:
        points: Logarithms of step times, shape (points,).
        over: By the decay.
        width: How many points a level is taken from.
    """
    ends = range(0, min(over + width, len(points)), width)
    levels = [median(points[place : place + width]) for place in ends]
    if levels[-1] <= levels[0]:
        return over
    lowest = min(levels)
    if levels[0] - lowest < CUT_RISE / 2:
        return 0
    return width * next(place for place, level in enumerate(levels) if level <= lowest + LEFT_OVER)
