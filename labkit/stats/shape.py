"""The shape of a series: levels or a trend, whichever describes it better.

Both compete under one criterion, because methods for changes call a ramp a staircase, and tests
for a trend call a step a trend. Only the winner is then put to its test of significance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from labkit.stats.interference import excursions, late_rise
from labkit.stats.levels import Levels, criterion, find_levels
from labkit.stats.noise import autocorrelation, long_run_variance, t_quantile
from labkit.stats.series import Mask, Numbers
from labkit.stats.spikes import settled
from labkit.stats.trend import Trend, fit_polynomial, fit_ramp, floor_rise

FLOOR_SHARE = 0.4
GATE = 5.5
ALPHA = 0.002


@dataclass(frozen=True)
class Shape:
    """What was made of a series of points.

    Args:
        kind: ``levels`` or ``trend``.
        start: The fitted logarithm of the first level.
        rise: How much higher the last level is.
        error: The standard error of `rise`.
        significant: Whether noise cannot have made it, in the direction of `rise`.
        levels: The levels of the whole series, interference included.
        kept: The levels of what is left without interference.
        used: Which points were used, shape (points,).
        late: Whether the last points are higher but too few to judge.
        points: How many points were used.
        alpha: The chance of error that `significant` allows, on one side.
    """

    kind: str
    start: float
    rise: float
    error: float
    significant: bool
    levels: Levels
    kept: Levels
    used: Mask
    late: bool
    points: int
    alpha: float

    def half_width(self) -> float:
        """Return half the 95 % interval of `rise`."""
        return t_quantile(0.975, self.points) * self.error

    def smallest_rise(self) -> float:
        """Return the rise that four of five such runs would have shown as significant."""
        quantiles = t_quantile(1 - self.alpha, self.points) + t_quantile(0.8, self.points)
        return quantiles * self.error


def find_shape(points: Numbers, *, width: int = 1) -> Shape:
    """Describe logarithms of step times after the warm-up.

    Args:
        points: Shape (points,).
        width: How many steps each point stands for.
    """
    values = settled(points).values
    # Few points estimate their own noise badly, so they have to show more.
    few = len(values) < 100
    gate = GATE + 1.5 if few else GATE
    alpha = ALPHA / 4 if few else ALPHA
    # 0 is the first step, 1 the last; a point stands in the middle of its steps.
    position = (width * np.arange(len(values)) + (width - 1) / 2) / (width * len(values) - 1)
    levels = find_levels(values, gate=gate)
    used = ~excursions(levels)
    kept = levels if used.all() else find_levels(values[used], gate=gate)
    late = late_rise(kept)
    if late.any():
        used[np.flatnonzero(used)[late]] = False
        kept = find_levels(values[used], gate=gate)
    trend, better = best_trend(position[used], values[used], kept)
    if not better:
        used, values = without_slope(points, used, position, trend, gate)
        trend, _ = best_trend(position[used], values[used], None)
    start, rise, error = trend.start, trend.rise, trend.error
    significant = abs(rise) > t_quantile(1 - alpha, int(used.sum())) * error
    floor = floor_rise(position[used], points[used])
    if better:
        start, rise, error = _between_levels(values[used], kept)
        significant = len(kept.values) > 1
        floor = _floor_of_levels(points[used], kept)
    significant = significant and floor * math.copysign(1, rise) >= FLOOR_SHARE * abs(rise)
    kind = "levels" if better else "trend"
    return Shape(kind, start, rise, error, significant, levels, kept, used, bool(late.any()),
                 int(used.sum()), alpha)  # fmt: skip


def without_slope(
    points: Numbers, used: Mask, position: Numbers, trend: Trend, gate: float
) -> tuple[Mask, Numbers]:
    """Settle a series once more around its trend, and look there for interference.

    On a slope a running median is wrong at both ends, where it looks to one side only, and what
    goes up and comes back shows only once the slope is taken away.
    """
    slope = np.interp(position, position[used], trend.fitted)
    values = slope + settled(points - slope).values
    disturbed = excursions(find_levels((values - slope)[used], gate=gate))
    used = used.copy()
    used[np.flatnonzero(used)[disturbed]] = False
    return used, np.asarray(values)


def best_trend(position: Numbers, values: Numbers, levels: Levels | None) -> tuple[Trend, bool]:
    """Return the best trend, and whether the levels describe the series better than it does."""
    trends = [fit_polynomial(position, values, degree) for degree in (1, 2, 3)]
    trends[1:1] = [fit_ramp(position, values, power=power) for power in (1, 2)]
    stairs = values - (levels.fitted() if levels else values.mean())
    closest = min([*(trend.residuals for trend in trends), stairs], key=lambda left: left @ left)
    rho = autocorrelation(closest, 3)
    effective = max(10.0, len(values) * (1 - rho) / (1 + rho))
    costs = [criterion(trend.residuals, effective, trend.parameters) for trend in trends]
    best = trends[int(np.argmin(costs))]
    if levels is None or len(levels.values) < 2:
        return best, False
    return best, criterion(stairs, effective, 2 * len(levels.values) - 1) < min(costs)


def _between_levels(values: Numbers, levels: Levels) -> tuple[float, float, float]:
    """Return the first level, the rise to the last and its standard error."""
    variance = long_run_variance(values - levels.fitted(), len(levels.values))
    lengths = levels.lengths
    error = math.sqrt(variance * (1 / lengths[0] + 1 / lengths[-1]))
    return levels.values[0], levels.values[-1] - levels.values[0], error


def _floor_of_levels(points: Numbers, levels: Levels) -> float:
    """Return how much the lower quartile rises from the first level to the last."""
    first = np.quantile(points[: levels.edges[1]], 0.25)
    return float(np.quantile(points[levels.edges[-2] :], 0.25) - first)
