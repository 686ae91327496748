"""Theil-Sen's slope with a moving-block bootstrap: the best trend test we know as a rival.

The median of all slopes between two points (Sen 1968) hardly feels outliers. Blocks of residuals
that are drawn together (Künsch 1989) keep the memory of the noise, so the spread of the slope is
right where formulas for independent noise are not (Önöz and Bayazit 2012). Written plainly: it
takes all n (n - 1) / 2 slopes for each draw.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.stats.noises import Numbers

DRAWS = 199
BLOCK = 1.75


@dataclass(frozen=True)
class Slope:
    """A slope per step, and the bootstrap's slopes around zero, sorted, shape (DRAWS,)."""

    value: float
    noise: Numbers

    def interval(self, chance: float) -> tuple[float, float]:
        """Return the basic bootstrap interval that misses with a chance."""
        low, high = np.quantile(self.noise, [chance / 2, 1 - chance / 2])
        return self.value - float(high), self.value - float(low)


def slope(values: Numbers) -> Slope:
    """Return the slope of a series of shape (steps,); the same series gives the same draws."""
    random = np.random.default_rng(0)
    steps = len(values)
    pairs = np.triu_indices(steps, k=1)
    apart = (pairs[1] - pairs[0]).astype(np.float64)

    def median_slope(series: Numbers) -> float:
        return float(np.median((series[pairs[1]] - series[pairs[0]]) / apart))

    value = median_slope(values)
    residuals = values - value * np.arange(steps)
    block = max(2, round(BLOCK * steps ** (1 / 3)))
    starts = random.integers(0, steps - block + 1, (DRAWS, -(-steps // block)))
    places = (starts[:, :, None] + np.arange(block)).reshape(DRAWS, -1)[:, :steps]
    return Slope(value, np.sort([median_slope(residuals[drawn]) for drawn in places]))
