"""Trends: the shape that describes the logarithms of step times best.

The fit gives the level at the start and at the end with a standard error that respects memory in
the noise; whether a trend is worth a word is decided elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from labkit.stats.noise import effective_points, lower_quartile, standard_error, t_quantile
from labkit.stats.robust import drawn_in
from labkit.stats.series import Numbers
from labkit.stats.shapes import ONSETS, PLAIN, RATES, SHAPES, advances, fit_all, late_advance

# What the choice of a shape costs beyond its two numbers, in parameters of the criterion. On a flat
# series the freest shape would always win, and find most; a place to begin is dear, as a level is.
PRICES = {"line": 0, "ramp": 0, "rush": 1, "settling": 1, "late": 3}
PASSES = 10
SETTLED = 1e-3


@dataclass(frozen=True)
class Trend:
    """One shape fitted to a series.

    Args:
        shape: ``line`` (grows by a factor a step), ``ramp`` (by the same seconds a step), ``rush``
            (with the square of the steps), ``settling`` (fast, then slower and slower) or ``late``
            (flat, then a ramp).
        onset: Where the growth begins, from 0 at the first step to 1 at the last.
        start: The fitted logarithm at the first step.
        rise: How much higher it is at the last step.
        error: The standard error of `rise`.
        parameters: How many numbers were fitted.
        fitted: The shape itself, shape (points,).
        rate: How often a settling shape falls to 1/e in the run.
    """

    shape: str
    onset: float
    start: float
    rise: float
    error: float
    parameters: int
    fitted: Numbers
    rate: float = 0.0

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
    if abs(trend.rise) > needed * trend.error:
        return trend
    return _fit_one_of(PLAIN, advance[: len(PLAIN)], position, values)


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
    onset, row = 0.0, advance[best]
    if shape == "late":
        onset = _refined(ONSETS[best - shapes.index(shape)], position, drawn, fits.rises[best])
        row = late_advance(position, onset)
    # Row 0 is always the line.
    one = 0 if shape == "line" else 1
    rows = np.stack([position, row])[: one + 1]
    rises = fits.rises[[0, best]][: one + 1]
    for _ in range(PASSES):
        fits = fit_all(rows, drawn, rises)
        moved, rises = abs(float(fits.rises[one] - rises[one])), fits.rises
        fitted = fits.fitted[one]
        drawn = fitted + drawn_in(values - fitted).residuals
        if moved < SETTLED:
            break
    rate = RATES[best - shapes.index(shape)] if shape == "settling" else 0.0
    columns = [np.ones(len(values)), fits.slopes[one]]
    if shape == "late":
        # Not knowing where the growth began makes its size less certain.
        gain = math.expm1(fits.rises[one])
        inside = 1 + gain * row
        columns.append(gain * (position > onset) * (position - 1) / (1 - onset) ** 2 / inside)
    weights = np.asarray(np.linalg.pinv(np.stack(columns, axis=1)), dtype=np.float64)[1]
    last = drawn_in(values - fitted)
    error = standard_error(weights, last.residuals, len(columns)) / last.share
    return Trend(shape, onset, float(fits.starts[one]), float(fits.rises[one]), error,
                 2 + PRICES[shape], fitted, rate)  # fmt: skip


def _refined(onset: float, position: Numbers, values: Numbers, rise: float) -> float:
    """Return the best onset on a finer grid around a given one."""
    onsets = onset + np.arange(-9, 10) / 100
    rows = np.stack([position, *(late_advance(position, onset) for onset in onsets)])
    fits = fit_all(rows, values, np.full(len(rows), rise))
    squares = np.square(values - fits.fitted[1:]).sum(axis=1)
    return float(onsets[int(np.argmin(squares))])


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
