"""Trends: smooth shapes fitted to the logarithms of step times.

Each fit gives the level at the start and at the end with a standard error that respects memory in
the noise; whether a trend is worth a word is decided elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from labkit.stats.noise import standard_error
from labkit.stats.series import Numbers


@dataclass(frozen=True)
class Trend:
    """One shape fitted to a series.

    Args:
        shape: ``line``, ``bent`` or ``twice_bent`` (polynomials of the logarithm), or ``ramp`` or
            ``rush`` (the times themselves grow with the steps, or with their square).
        start: The fitted logarithm at the first step.
        rise: How much higher it is at the last step.
        error: The standard error of `rise`.
        parameters: How many numbers were fitted.
        fitted: The shape itself, shape (points,).
        residuals: What is left, same shape.
    """

    shape: str
    start: float
    rise: float
    error: float
    parameters: int
    fitted: Numbers
    residuals: Numbers


def fit_polynomial(position: Numbers, values: Numbers, degree: int) -> Trend:
    """Fit a polynomial by least squares.

    Args:
        position: Where each point lies in the run, from 0 to 1.
        values: Logarithms of step times without spikes, same shape.
        degree: 1, 2 or 3.
    """
    design = np.vander(position, degree + 1, increasing=True)
    ends = np.array([0.0] + [1.0] * degree)
    inverse = np.asarray(np.linalg.pinv(design), dtype=np.float64)
    coefficients = inverse @ values
    fitted = np.asarray(design @ coefficients)
    residuals = values - fitted
    error = standard_error(ends @ inverse, residuals, degree + 1)
    shape = ("line", "bent", "twice_bent")[degree - 1]
    rise = float(ends @ coefficients)
    return Trend(shape, float(coefficients[0]), rise, error, degree + 1, fitted, residuals)


def fit_ramp(position: Numbers, values: Numbers, *, power: int = 1) -> Trend:
    """Fit ``start + log(1 + g position^power)``: steps grow in seconds, straight or as a square.

    Gauss-Newton on ``rise = log(1 + g)``, from the straight line; a threefold ramp is far from a
    straight line in the logarithm, and a line would understate its growth.
    """
    advance = position**power
    rise = fit_polynomial(position, values, 1).rise
    design = np.ones((len(values), 2))
    inverse = np.zeros((2, len(values)))
    start = float(values[0])
    for _ in range(20):
        shape, design[:, 1] = _ramp(advance, rise)
        inverse = np.asarray(np.linalg.pinv(design), dtype=np.float64)
        solved = inverse @ (values - shape)
        # A long first step would overflow on wild series.
        step = min(1.0, max(-1.0, float(solved[1])))
        start = float(solved[0])
        rise += step
        if abs(step) < 1e-9:
            break
    fitted = start + _ramp(advance, rise)[0]
    residuals = values - fitted
    error = standard_error(inverse[1], residuals, 2)
    return Trend("ramp" if power == 1 else "rush", start, rise, error, 2, fitted, residuals)


def _ramp(advance: Numbers, rise: float) -> tuple[Numbers, Numbers]:
    """Return the ramp's shape and its derivative by `rise`."""
    inside = 1 + math.expm1(rise) * advance
    return np.log(inside), math.exp(rise) * advance / inside


def floor_rise(position: Numbers, values: Numbers) -> float:
    """Return how much the floor rises from start to end: the lower quartiles of ten blocks.

    Interference only ever makes steps slower, so a loop that became slower lifts its fastest steps
    too (Chen and Revels 2016 estimate by the minimum for the same reason).
    """
    blocks = np.array_split(np.arange(len(values)), min(10, max(2, len(values) // 5)))
    floors = np.array([np.quantile(values[block], 0.25) for block in blocks])
    centres = np.array([position[block].mean() for block in blocks])
    away = centres - centres.mean()
    return float(away @ floors / (away @ away))
