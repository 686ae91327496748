"""Where the warm-up ends.

Cut from one side only: a start that is *faster* than the rest is no warm-up but the beginning of a
slowdown, and cutting it would hide the growth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from labkit.stats.noise import QUIETEST, long_run_variance, median, spread
from labkit.stats.series import Numbers, joined
from labkit.stats.shape.changepoints import SMALLEST_CHANGE, best_edges, levels_at
from labkit.stats.shape.decay import CUT_RISE, GATE, find_decay
from labkit.stats.shape.spikes import settled

LEAD_RISE = math.log(1.30)


def warmup_steps(log_seconds: Numbers) -> int:
    """Return how many steps at the start are slower than what follows; at most half of them."""
    lead = leading_slow(log_seconds)
    points, width = joined(log_seconds[lead:])
    values = settled(points).values
    plateaus = find_plateaus(values, settling(values))
    decay = find_decay(points)
    cut = plateaus.over
    if decay is not None and _cost(decay.squares, len(points), 5) < plateaus.cost:
        cut = max(cut, decay.over)
    cut = lead + width * cut
    return cut if 2 * cut <= len(log_seconds) else lead


def leading_slow(log_seconds: Numbers) -> int:
    """Count the first steps that stick out of those right after them (compiling, tracing).

    A step counts if it is 30 % and six spreads above the median of the next steps; at most a
    quarter of all steps.
    """
    n = len(log_seconds)
    reach = min(50, max(10, n // 10))
    for place in range(n // 4):
        after = log_seconds[place + 1 : place + 1 + reach]
        height = log_seconds[place] - median(after)
        if height <= max(LEAD_RISE, 6 * spread(after)):
            return place
    return n // 4


def settling(values: Numbers) -> int:
    """Return the cut that leaves the steadiest rest, if what it cuts off is slower; else 0.

    The measure is MSER (White 1997) of the residuals around a line, so that a slow growth of the
    rest is no reason to cut. A cut that is refused because it would remove a faster start is
    searched again in the half before it: warm-up may come before a bent growth.

    Args:
        values: Logarithms of step times without spikes, shape (points,).
    """
    measure = mser(values)
    limit = len(values) // 2
    while limit >= 2:
        cut = int(np.argmin(measure[: limit + 1]))
        if cut == 0:
            return 0
        if _prefix_is_slower(values, cut):
            return cut
        limit = cut // 2
    return 0


@dataclass(frozen=True)
class Plateaus:
    """A start described by a few levels, and a line after them.

    Args:
        over: After how many points the level is that of the rest.
        cost: The Bayesian information criterion; infinite where there is no such start, because a
            decay is no worse than nothing.
    """

    over: int
    cost: float


def find_plateaus(values: Numbers, cut: int) -> Plateaus:
    """Describe a start that is slower by up to three levels.

    A start of two falls, a compiler's and a cache's, is no decay, though a decay fits it better
    than one level does. Where the rest is steadiest by chance, a cut comes late: points that lie
    on the rest already are given back to it.

    Args:
        values: Logarithms of step times without spikes, shape (points,).
        cut: From `settling`.
    """
    if cut == 0:
        return Plateaus(0, math.inf)
    n, start = len(values), values[:cut]
    rest = float(mser(values)[cut] * (n - cut) ** 2)
    fits = [levels_at(start, edges) for edges in best_edges(start, most=3, shortest=1)]
    costs = []
    for levels in fits:
        left = start - levels.fitted()
        costs.append(_cost(float(left @ left) + rest, n, 2 * len(levels.edges)))
    best = fits[int(np.argmin(costs))]
    level = median(_after(values, cut))
    high = [place for place, value in enumerate(best.values) if value - level >= SMALLEST_CHANGE]
    if not high or high[0] > 0:
        # What was fast at first and slow only then is a burst, no start.
        return Plateaus(0, math.inf)
    return Plateaus(best.edges[high[-1] + 1], min(costs))


def _cost(squares: float, points: int, parameters: int) -> float:
    """Return the Bayesian information criterion of squared residuals."""
    return points * math.log(squares / points + QUIETEST**2) + parameters * math.log(points)


def mser(values: Numbers) -> Numbers:
    """Return, for each cut up to half, the squared residuals around a line over (points left)^2."""
    n = len(values)
    position = np.arange(n) / n
    centred = values - values.mean()
    # Sums over all that is left after each cut, by running sums from the end.
    terms = np.stack([np.ones(n), position, position**2, centred, position * centred, centred**2])
    count, x, xx, y, xy, yy = np.cumsum(terms[:, ::-1], axis=1)[:, ::-1][:, : n // 2 + 1]
    sxx = xx - x * x / count
    sxy = xy - x * y / count
    left = yy - y * y / count - sxy**2 / np.maximum(sxx, 1e-12)
    return np.asarray((np.maximum(left, 0.0) + QUIETEST**2) / count**2)


def _prefix_is_slower(values: Numbers, cut: int) -> bool:
    """Tell whether the cut part lies above both the line of the rest and the steps after it."""
    rest = values[cut:]
    position = np.arange(len(rest), dtype=np.float64)
    slope, level = np.polyfit(position, rest, 1)
    residuals = rest - level - slope * position
    near = _after(values, cut)
    prefix = median(values[:cut])
    ahead = float(level - slope * cut / 2)
    # However long the noise remembers, a mean of few steps varies no more than one step does.
    remembered, single = long_run_variance(residuals, 2), float(residuals.var())
    variance = min(single, remembered / cut) + min(single, remembered / len(near))
    height = prefix - max(median(near), ahead)
    return height >= max(CUT_RISE, GATE * math.sqrt(variance))


def _after(values: Numbers, cut: int) -> Numbers:
    """Return the points right after a cut, about as many as before it."""
    rest = values[cut:]
    return rest[: max(10, min(cut, len(rest) // 3))]
