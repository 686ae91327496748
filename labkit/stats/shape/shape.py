"""The shape of a series: levels or a trend, whichever describes it better.

Both compete under one criterion, because methods for changes call a ramp a staircase, and tests
for a trend call a step a trend. Only the winner is then put to its test of significance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from labkit.stats.noise import drawn_in, effective_points, lower_quartile, spread, t_quantile
from labkit.stats.series import Mask, Numbers
from labkit.stats.shape.changepoints import (
    Levels,
    criterion,
    find_levels,
    level_variance,
    moving,
    pruned,
    rough_levels,
)
from labkit.stats.shape.interference import excursions, late_rise
from labkit.stats.shape.residuals import mended
from labkit.stats.shape.spikes import settled
from labkit.stats.shape.trend import Trend, fit_trend, floor_share

FLOOR_SHARE = 0.4
GATE = 5.0
ALPHA = 0.005
LEAST_LEFT = 0.5
BALANCING_PASSES = 5


@dataclass(frozen=True)
class Shape:
    """What was made of a series of points.

    Args:
        kind: ``levels`` or ``trend``.
        start: The fitted logarithm of the first level.
        rise: How much higher the last level is.
        error: The standard error of `rise`.
        doubt: How far the rises of other shapes lie from it that describe the series as well.
        significant: Whether noise cannot have made it, in the direction of `rise`.
        kept: The levels of what is left without interference.
        used: Which points were used, shape (points,).
        late: Whether the last points are higher but too few to judge.
        alpha: The chance of error that `significant` allows, on one side.
        trend: The best trend, also where levels are better.
        left_over: How far the used points lie from the shape, in terms of how far they lie from
            the levels of the whole series.
        moved: Every level the whole series has, whether noise that remembers made it or not.
    """

    kind: str
    start: float
    rise: float
    error: float
    doubt: float
    significant: bool
    kept: Levels
    used: Mask
    late: bool
    alpha: float
    trend: Trend
    left_over: float
    moved: Levels

    @property
    def points(self) -> int:
        """How many points were used."""
        return int(self.used.sum())

    def half_width(self) -> float:
        """Return half the 95 % interval of `rise`."""
        return t_quantile(0.975, self.points) * math.hypot(self.error, self.doubt)

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
    rough = rough_levels(values)
    levels, moved = pruned(values, rough, gate=gate), moving(values, rough)
    used = ~excursions(levels)
    kept = levels if used.all() else find_levels(values[used], gate=gate)
    trend = fit_trend(position[used], values[used], alpha=alpha, gate=gate)
    doubted = probability_of_levels(values[used], kept, trend)
    late = doubted > 0.5 and late_rise(kept) < used.sum()
    if late:
        used[np.flatnonzero(used)[late_rise(kept) :]] = False
        kept = find_levels(values[used], gate=gate)
        trend = fit_trend(position[used], values[used], alpha=alpha, gate=gate)
        doubted = probability_of_levels(values[used], kept, trend)
    better = doubted > 0.5
    between = between_levels(values[used], kept)
    if better:
        start, rise, error = between
        significant = len(kept.values) > 1
        floor = _floor_of_levels(points[used], kept) / rise if rise else 0.0
    else:
        used, values = without_slope(points, used, position, trend, gate)
        trend = fit_trend(position[used], values[used], alpha=alpha, gate=gate)
        start, rise, error = trend.start, trend.rise, trend.error
        significant = abs(rise) > t_quantile(1 - alpha, int(used.sum())) * error
        floor = floor_share(points[used], trend.fitted)
        if significant:
            trend = _mended(position[used], values[used], trend)
            start, rise, error = trend.start, trend.rise, trend.error
    significant = significant and floor >= FLOOR_SHARE
    kind = "levels" if better else "trend"
    fitted = kept.fitted() if better else trend.fitted
    left_over = spread(values[used] - fitted) / spread(values[used] - moved.fitted()[used])
    doubt = math.sqrt(
        doubted * (between[1] - rise) ** 2
        + (1 - doubted) * (trend.doubt**2 + (trend.rise - rise) ** 2)
    )
    return Shape(kind, start, rise, error, doubt, significant, kept, used, late, alpha,
                 trend, left_over, moved)  # fmt: skip


def probability_of_levels(values: Numbers, levels: Levels, trend: Trend) -> float:
    """Return how probable levels are beside a trend, as their criteria have it; 0.5 is a draw.

    Where there is one level alone, a trend describes it as well and says how sure that is.
    """
    if len(levels.values) < 2:
        return 0.0
    stairs, slope = values - levels.fitted(), values - trend.fitted
    # Both are measured with the same reach, or the worse fit would be let off its worst points.
    reach = 3 * min(spread(stairs), spread(slope))
    stairs, slope = np.clip(stairs, -reach, reach), np.clip(slope, -reach, reach)
    closest = min(stairs, slope, key=lambda left: float(left @ left))
    effective = effective_points(closest, 3)
    level_cost = criterion(stairs, effective, 2 * len(levels.values) - 1)
    ahead = criterion(slope, effective, trend.parameters) - level_cost
    return 1 / (1 + math.exp(min(700.0, -ahead / 2)))


def _mended(position: Numbers, values: Numbers, trend: Trend) -> Trend:
    """Bend a trend to the points, unless that takes most of it away.

    The bends only say where its ends are. Whether there is a trend was asked of a shape that goes
    one way.
    """
    better = mended(position, values, trend)
    return better if better.rise / trend.rise > LEAST_LEFT else trend


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


def between_levels(values: Numbers, levels: Levels) -> tuple[float, float, float]:
    """Return the first level, the rise to the last and its standard error.

    Each is where its residuals, drawn in, balance: only to that estimate does the error belong,
    and a burst moves it less than it does the mean.
    """
    heights, lengths = np.asarray(levels.values), np.asarray(levels.lengths)
    for _ in range(BALANCING_PASSES):
        limited = drawn_in(values - np.repeat(heights, lengths)).residuals
        heights = heights + np.add.reduceat(limited, levels.edges[:-1]) / lengths
    variance = level_variance(values, replace(levels, values=tuple(map(float, heights))))
    error = math.sqrt(variance * (1 / lengths[0] + 1 / lengths[-1]))
    return float(heights[0]), float(heights[-1] - heights[0]), error


def _floor_of_levels(points: Numbers, levels: Levels) -> float:
    """Return how much the lower quartile rises from the first level to the last."""
    first = lower_quartile(points[: levels.edges[1]])
    return lower_quartile(points[levels.edges[-2] :]) - first
