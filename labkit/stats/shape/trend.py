"""Trends: the shape that describes the logarithms of step times best.

The fit gives the level at the start and at the end with a standard error that respects memory in
the noise; whether a trend is worth a word is decided elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from labkit.stats.noise import (
    drawn_in,
    effective_points,
    lower_quartile,
    standard_error,
    t_quantile,
)
from labkit.stats.series import Numbers
from labkit.stats.shape.shapes import (
    ONSETS,
    PLAIN,
    RATES,
    SHAPES,
    SQUARE,
    advances,
    fit_all,
    late_advance,
    rushing_advance,
    settling_advance,
)

# What the choice of a shape costs beyond its two numbers, in parameters of the criterion. On a flat
# series the freest shape would always win, and find most; a place to begin is expensive, as a level
# is.
PRICES = {"line": 0, "ramp": 0, "rush": 1, "settling": 1, "late": 3}
HOLLOW = ("line", "rush")
# How much more or less bent than the shape chosen the best one may be.
BENDS = 2.0 ** (np.arange(-12, 7) / 4)
PASSES = 10
SLOWEST = 0.1
SETTLED = 1e-3


@dataclass(frozen=True)
class Trend:
    """One shape fitted to a series.

    Args:
        shape: ``line`` (grows by a factor per step), ``ramp`` (by the same seconds per step),
            ``rush`` (with the square of the steps), ``settling`` (fast, then slower and slower) or
            ``late`` (flat, then a ramp).
        onset: Where the growth begins, from 0 at the first step to 1 at the last.
        start: The fitted logarithm at the first step.
        rise: How much higher it is at the last step.
        error: The standard error of `rise`.
        parameters: How many numbers were fitted.
        fitted: The shape itself, shape (points,).
        columns: The derivatives of the shape by each number of it, shape (points, numbers).
        doubt: How far the rises of other shapes that describe the series as well lie from `rise`.
        rate: How often a settling shape falls to 1/e in the run, less one standard error.
    """

    shape: str
    onset: float
    start: float
    rise: float
    error: float
    parameters: int
    fitted: Numbers
    columns: Numbers
    doubt: float = 0.0
    rate: float = 0.0

    def bent(self, fitted: Numbers, error: float, parameters: int) -> Trend:
        """Return the trend bent to other points, with so many parameters more."""
        moved = float(fitted[0] - self.fitted[0])
        rise = self.rise + float(fitted[-1] - self.fitted[-1]) - moved
        return replace(
            self, start=self.start + moved, rise=rise, error=error, fitted=fitted,
            parameters=self.parameters + parameters,
        )  # fmt: skip

    def over(self, left: float) -> float:
        """Return where in the run no more than `left` of a settling change is to come."""
        return max(0.0, math.log(max(abs(self.rise) / left, 1.0)) / self.rate)


def fit_trend(position: Numbers, values: Numbers, *, alpha: float, gate: float) -> Trend:
    """Fit the shape that describes a series best, drawn in to moderate errors around it.

    Args:
        position: Where each point lies in the run, from 0 to 1.
        values: Logarithms of step times without spikes, same shape.
        alpha: The chance of error, on one side. Of a shape of many kinds each has to be
            significant at its part of it, or one of the plain shapes describes the series.
        gate: How many standard errors a growth with an onset must have besides, as a level must.
    """
    advance = advances(position)
    trend = _fit_one_of(SHAPES, advance, position, values)
    if trend.parameters == 2:
        return trend
    needed = t_quantile(1 - alpha / SHAPES.count(trend.shape), len(values))
    if trend.shape == "late":
        needed = max(needed, gate)
    if abs(trend.rise) <= needed * trend.error:
        return _fit_one_of(PLAIN, advance[: len(PLAIN)], position, values)
    if trend.shape == "late":
        # With the cube of the steps a growth looks late beside the square, and is not. Where a
        # hollow growth fits as well, it needs no beginning.
        rows = [SHAPES.index(shape) for shape in HOLLOW]
        hollow = _fit_one_of(HOLLOW, advance[rows], position, values)
        left = [drawn_in(values - each.fitted).residuals for each in (hollow, trend)]
        squares = [np.square(residuals).sum() for residuals in left]
        if squares[0] <= squares[1] and abs(hollow.rise) > needed * hollow.error:
            return hollow
    return trend


def _fit_one_of(
    shapes: tuple[str, ...], advance: Numbers, position: Numbers, values: Numbers
) -> Trend:
    """Fit the best of some shapes, as `fit_trend`."""
    extra = np.array([PRICES[shape] for shape in shapes])
    drawn, price = values, 0.0
    rises: Numbers | None = None
    for _ in range(2):
        fits = fit_all(advance, drawn, rises)
        rises = fits.rises
        squares = np.square(drawn - fits.fitted).sum(axis=1)
        best = int(np.argmin(np.log(squares + 1e-12) + price * extra))
        limited = drawn_in(values - fits.fitted[best]).residuals
        effective = effective_points(limited, 3)
        price = math.log(effective) / effective
        drawn = fits.fitted[best] + limited
    shape = shapes[best]
    doubt = _doubt(shapes, fits.rises, effective * np.log(squares + 1e-12), effective, best)
    bend, row = None, advance[best]
    # Row 0 is always the line.
    one = 0 if shape == "line" else 1
    rises = fits.rises[[0, best]][: one + 1]
    # What was drawn in to one bend speaks for it: the best is asked for twice.
    for _ in range(1 if shape in PLAIN else 2):
        bend = _bend(shape, best - shapes.index(shape), position, drawn, float(rises[one]))
        row = bend.advance if bend else row
        rows = np.stack([position, row])[: one + 1]
        for _ in range(PASSES):
            fits = fit_all(rows, drawn, rises)
            moved, rises = abs(float(fits.rises[one] - rises[one])), fits.rises
            fitted = fits.fitted[one]
            drawn = fitted + drawn_in(values - fitted).residuals
            if moved < SETTLED:
                break
    columns = [np.ones(len(values)), fits.slopes[one]]
    if bend:
        # Not knowing where the growth began, or how it bends, makes its size less certain.
        gain = math.expm1(fits.rises[one])
        columns.append(gain * bend.slope / (1 + gain * row))
    design = np.stack(columns, axis=1)
    weights = np.asarray(np.linalg.pinv(design), dtype=np.float64)
    last = drawn_in(values - fitted)
    error = standard_error(weights[1], last.residuals, len(columns)) / last.share
    onset = bend.value if bend and shape == "late" else 0.0
    rate = 0.0
    if bend and shape == "settling":
        # Rather too slow than too fast: what may last for most of the run is no warm-up.
        unsure = standard_error(weights[2], last.residuals, len(columns)) / last.share
        rate = max(bend.value - unsure, SLOWEST)
    return Trend(shape, onset, float(fits.starts[one]), float(fits.rises[one]), error,
                 2 + PRICES[shape], fitted, design, doubt, rate)  # fmt: skip


def _doubt(
    shapes: tuple[str, ...], rises: Numbers, costs: Numbers, effective: float, best: int
) -> float:
    """Return how far the rises of all shapes lie from that of the best, each by its probability.

    The standard error of one shape knows nothing of the others that might be true (Buckland,
    Burnham and Augustin 1997, whose weights these are). Kinds of shapes count alike beforehand.
    """
    prices = np.array([PRICES[shape] for shape in shapes])
    alike = np.array([shapes.count(shape) for shape in shapes])
    costs = costs + math.log(effective) * prices + 2 * np.log(alike)
    weights = np.exp(-(costs - costs.min()) / 2)
    return math.sqrt(float(weights @ np.square(rises - rises[best]) / weights.sum()))


@dataclass(frozen=True)
class _Bend:
    """The number that a bent shape has besides its rise, and what it makes of the shape.

    Args:
        value: The onset, the rate or the power.
        advance: How far the growth has come at each position.
        slope: The derivative of that by the value.
    """

    value: float
    advance: Numbers
    slope: Numbers


def _bend(shape: str, place: int, position: Numbers, values: Numbers, rise: float) -> _Bend | None:
    """Return the best bend on a finer grid around that of a shape chosen, None for a plain one.

    A bend that is only nearly right puts the levels at both ends where no points are: growth like
    the square root of the steps, fitted with the nearest of two rates, was 3.6x in place of 3.1.
    """
    if shape in PLAIN:
        return None
    advance: Callable[[Numbers, float], Numbers] = rushing_advance
    tried = 1 + (SQUARE - 1) * BENDS
    if shape == "late":
        advance, tried = late_advance, ONSETS[place] + np.arange(-9, 10) / 100
    if shape == "settling":
        advance, tried = settling_advance, RATES[place] * BENDS
    rows = np.stack([position, *(advance(position, float(value)) for value in tried)])
    fits = fit_all(rows, values, np.full(len(rows), rise))
    squares = np.square(values - fits.fitted[1:]).sum(axis=1)
    best = float(tried[int(np.argmin(squares))])
    near = 1e-3 * best
    slope = (advance(position, best + near) - advance(position, best - near)) / (2 * near)
    return _Bend(best, advance(position, best), slope)


def floor_share(values: Numbers, fitted: Numbers) -> float:
    """Return how much of a fitted change the floor makes: the lower quartiles of ten blocks.

    Interference only ever makes steps slower, so a loop that became slower lifts its fastest steps
    too (Chen and Revels 2016 estimate by the minimum for the same reason).
    """
    parts = np.array_split(np.arange(len(values)), min(10, max(2, len(values) // 5)))
    floors = np.array([lower_quartile(values[part]) for part in parts])
    means = np.array([fitted[part].mean() for part in parts])
    away = means - means.mean()
    power = float(away @ away)
    return float(away @ floors) / power if power > 0 else 0.0
