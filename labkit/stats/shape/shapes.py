"""The shapes a trend may have, and their fits by least squares.

All go one way only: what goes both ways is no trend. Which shape describes a series is decided in
trend.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from labkit.stats.series import Numbers

# Where in the run a growth may begin that was flat before, as shares of it.
ONSETS = (0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.82)
# How often a settling shape falls to 1/e in the run: soon over, or just so at its end. Which rate
# in between is best is asked once one of them has been chosen.
RATES = (3.0, 10.0)
SQUARE = 2.0
# Beyond that the logarithm of what is left of a fall is lost in rounding.
LARGEST_RISE = 30.0
PLAIN = ("line", "ramp")
SHAPES = (*PLAIN, "rush", *("settling" for _ in RATES), *("late" for _ in ONSETS))


@dataclass(frozen=True)
class Fits:
    """All shapes fitted to one series.

    Args:
        rises: The rise of each, shape (shapes,).
        starts: The level each begins at, same shape.
        fitted: Each at every point, shape (shapes, points).
        slopes: The derivative of each by its rise, same shape.
    """

    rises: Numbers
    starts: Numbers
    fitted: Numbers
    slopes: Numbers


def advances(position: Numbers) -> Numbers:
    """Return how far each shape but the line has come at each position, 0 to 1; row 0 is idle."""
    rows = [position, position, rushing_advance(position, SQUARE)]
    rows += [settling_advance(position, rate) for rate in RATES]
    rows += [late_advance(position, onset) for onset in ONSETS]
    return np.stack(rows)


def rushing_advance(position: Numbers, power: float) -> Numbers:
    """Return how far a growth has come that grows with a power of the steps."""
    return np.asarray(position**power)


def settling_advance(position: Numbers, rate: float) -> Numbers:
    """Return how far a change has come that falls to 1/e `rate` times in the run."""
    return np.asarray(np.expm1(-rate * position) / math.expm1(-rate))


def late_advance(position: Numbers, onset: float) -> Numbers:
    """Return how far a ramp that begins at the onset has come."""
    return np.asarray(np.maximum(0.0, position - onset) / (1 - onset))


def fit_all(advance: Numbers, values: Numbers, rises: Numbers | None = None) -> Fits:
    """Fit ``start + log(1 + g advance)`` for each shape by least squares; the line ``g position``.

    Gauss-Newton on ``rise = log(1 + g)``, all shapes at once; a threefold ramp is far from straight
    in the logarithm, and a line would understate its growth.

    Args:
        advance: From `advances`, shape (shapes, points).
        values: Logarithms of step times without spikes, shape (points,).
        rises: Where to begin; from a straight line where not given.
    """
    if rises is None:
        away = advance[0] - advance[0].mean()
        rises = np.full(len(advance), float(away @ values / (away @ away)))
    for _ in range(20):
        inside = 1 + np.expm1(rises)[:, None] * advance
        fitted = np.log(inside)
        slopes = np.exp(rises)[:, None] * advance / inside
        fitted[0], slopes[0] = rises[0] * advance[0], advance[0]
        left = values - fitted
        starts = left.mean(axis=1)
        centred = slopes - slopes.mean(axis=1, keepdims=True)
        powers = np.einsum("ij,ij->i", centred, centred) + 1e-12
        # A long step would overflow on wild series.
        steps = np.clip(np.einsum("ij,ij->i", centred, left) / powers, -1.0, 1.0)
        if float(np.abs(steps).max()) < 1e-5:
            break
        rises = np.clip(rises + steps, -LARGEST_RISE, LARGEST_RISE)
    return Fits(rises, starts, fitted + starts[:, None], slopes)
