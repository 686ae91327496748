"""The toll: by how much others slowed the steps, as the steps themselves tell.

A loop that loses one of two processors may take twice as long, just as long, or less: its work may
be shared out or not, and threads that wait for each other spin. A neighbour may slow it through
the caches or not at all. No constant is right for all loops, so the loop is asked: others come and
go, and the steps follow by so much.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labkit.stats.noise import long_run_variance
from labkit.stats.series import Numbers

# Before the steps are asked. Of processors lost: work that is shared out takes as much longer (-1),
# work of one thread no longer (0), spinning threads even less. Of each processor that others use:
# 5 to 25 %, through caches and memory.
EXPECTED = (-0.7, 0.12)
EXPECTED_ERROR = (0.7, 0.12)
MOST_BLOCKS = 60
BLOCK_STEPS = 5
ROUNDS = 4
FAR = 2.5
QUIETEST = 0.003
# The steps do not follow by a straight line. Measured on flat loops: up to a quarter of what was
# taken away was wrong.
MISFIT = 0.25


@dataclass(frozen=True)
class Toll:
    """What others cost the steps, in logarithms.

    Args:
        pressure: What weighed on each step, shape (steps, kinds).
        price: The cost of one unit of each kind, shape (kinds,).
        covariance: Of `price`, shape (kinds, kinds).
    """

    pressure: Numbers
    price: Numbers
    covariance: Numbers

    @property
    def cost(self) -> Numbers:
        """How much longer each step took, as a logarithm, shape (steps,)."""
        return np.asarray(self.pressure @ self.price)

    def doubt(self, change: Numbers) -> float:
        """Return how wrong the cost of a change of pressure may be, as a logarithm.

        Args:
            change: Shape (kinds,).
        """
        error = 1.96 * float(np.sqrt(change @ self.covariance @ change))
        return float(np.hypot(error, MISFIT * float(change @ self.price)))

    def spread(self) -> Numbers:
        """Return how far the pressure moves within the run, outliers aside, shape (kinds,)."""
        return np.asarray(np.ptp(np.quantile(self.pressure, (0.1, 0.9), axis=0), axis=0))


def toll(log_seconds: Numbers, pressure: Numbers) -> Toll:
    """Return what pressure cost the steps: what they say, and what was expected beforehand.

    A trend of the loop must not be taken for a toll, so medians of short blocks are compared
    without their line and bend. Blocks far off count as moderately far (Huber 1964), and noise that
    remembers makes the estimate less sure.

    Args:
        log_seconds: Logarithms of the step times, shape (steps,).
        pressure: What weighed on each step, shape (steps, kinds).
    """
    blocks = max(8, min(MOST_BLOCKS, len(log_seconds) // BLOCK_STEPS))
    parts = np.array_split(np.arange(len(log_seconds)), blocks)
    trends = np.vander(np.linspace(-1, 1, blocks), 3)
    hat = np.eye(blocks) - trends @ np.linalg.pinv(trends)
    steps = hat @ np.array([np.median(log_seconds[part]) for part in parts])
    weighed = hat @ np.array([pressure[part].mean(axis=0) for part in parts])
    expected, known = np.asarray(EXPECTED), np.diag(1 / np.square(EXPECTED_ERROR))
    price, precision = expected, known
    for _ in range(ROUNDS):
        left = steps - weighed @ price
        reach = FAR * max(1.4826 * float(np.median(np.abs(left))), QUIETEST)
        variance = long_run_variance(np.clip(left, -reach, reach), 4)
        taken = weighed / np.maximum(1.0, np.abs(left) / reach)[:, None]
        precision = taken.T @ weighed / variance + known
        price = np.linalg.solve(precision, taken.T @ steps / variance + known @ expected)
    return Toll(pressure, price, np.asarray(np.linalg.inv(precision)))
