"""A trend that lasts beside what a machine does: one change of level, and neighbours that come.

A machine moves threads or gets a neighbour, and the level of all steps changes; it does not make
each step a little longer than the one before, all through a run. So the line that is left beside
one change of level, and beside what goes with the processors others use, is the loop's: a partial
regression (R. Frisch and F. V. Waugh, *Econometrica* 1, 1933), its errors those of noise that
remembers.
"""

from __future__ import annotations

import math

import numpy as np

from labkit.stats.noise import long_run_variance
from labkit.stats.series import Numbers

MOST_PARTS, FEWEST_PARTS = 60, 10
STEPS_PER_PART, PARTS_PER_LEVEL = 3, 3
# A machine does more than this model of it: of 360 flat runs beside other programs two reached 4.
FEWEST_ERRORS = 5.0
# Less than this nobody can tell from others that use nothing.
LEAST_USE = 0.05
SMALLEST_SQUARES = 1e-9


def lasting_trend(log_seconds: Numbers, others_cores: Numbers) -> tuple[float, float]:
    """Return how much the steps rise by a line from first to last, and the standard error of that.

    Args:
        log_seconds: Logarithms of the step times, shape (steps,).
        others_cores: How many processors others used around each step, same shape.

    Returns:
        Both as differences of logarithms; no rise, and no end to the error, where steps are few.
    """
    count = min(MOST_PARTS, len(log_seconds) // STEPS_PER_PART)
    if count < FEWEST_PARTS:
        return 0.0, math.inf
    parts = np.array_split(np.arange(len(log_seconds)), count)
    steps = np.array([np.median(log_seconds[part]) for part in parts])
    used = np.array([np.mean(others_cores[part]) for part in parts])
    line = np.linspace(0, 1, count)
    always = np.stack([np.ones(count), line, *([used] if np.std(used) > LEAST_USE else [])], axis=1)
    places = np.arange(PARTS_PER_LEVEL, count - PARTS_PER_LEVEL + 1)
    levels = (np.arange(count)[:, None] >= places).astype(float)
    best = int(np.argmin(_left_over(always, levels, steps)))
    columns = np.column_stack([always, levels[:, best]])
    inverse = np.linalg.pinv(columns)
    weights = inverse @ steps
    variance = long_run_variance(steps - columns @ weights, columns.shape[1])
    return float(weights[1]), math.sqrt(float(inverse[1] @ inverse[1]) * variance)


def lasts(log_seconds: Numbers, others_cores: Numbers, direction: int) -> float | None:
    """Return half the 95 % interval of a trend that lasts, None where none does.

    Args:
        log_seconds: Logarithms of the step times, shape (steps,).
        others_cores: How many processors others used around each step, same shape.
        direction: 1 for steps that become slower, -1 for faster.
    """
    rise, error = lasting_trend(log_seconds, others_cores)
    return 1.96 * error if direction * rise > FEWEST_ERRORS * error else None


def _left_over(always: Numbers, levels: Numbers, steps: Numbers) -> Numbers:
    """Return what fits leave of the steps, each with one of the levels beside what all have."""
    hat = always @ np.linalg.pinv(always)
    levels, steps = levels - hat @ levels, steps - hat @ steps
    # Of a level that neighbours make when they come once, nothing is left beside theirs.
    weights = (steps @ levels) / np.maximum(np.sum(levels**2, axis=0), SMALLEST_SQUARES)
    return np.asarray(np.abs(steps[:, None] - levels * weights).sum(axis=0))
