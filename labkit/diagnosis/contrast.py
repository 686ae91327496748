"""The operator: one set of weights that turns seconds of steps into their growth.

Being linear, it splits a sum into parts that add up. It knows nothing of places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from labkit.stats import standard_error, t_quantile

Numbers: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Operator:
    """A growth as a weighted sum of steps.

    Args:
        weights: Shape (steps,).
        design: What is fitted to tell growth from noise, shape (steps, parameters).
        inverse: Its pseudo-inverse, shape (parameters, steps).
    """

    weights: Numbers
    design: Numbers
    inverse: Numbers

    def growth(self, seconds: Numbers) -> float:
        """Return how much such a series grew from its first level to its last."""
        return float(self.weights @ seconds)

    def half_width(self, relative: Numbers) -> float:
        """Return half the 95 % interval of the growth, by equal-weighted cosines.

        Args:
            relative: The series in units of a typical step: the clock's grain is set relative
                to that.
        """
        residuals = np.asarray(relative - self.design @ (self.inverse @ relative))
        error = standard_error(self.weights, residuals, self.design.shape[1])
        return t_quantile(0.975, len(relative)) * error


def rise_operator(position: Numbers, *, degree: int) -> Operator:
    """Return the operator for a trend: the rise from 0 to 1 of a fitted polynomial.

    Args:
        position: Where each step lies, from 0 to 1.
        degree: 1 for a line, more where the growth bends.
    """
    return _operator(np.vander(position, degree + 1, increasing=True))


def jump_operator(after: NDArray[np.bool_]) -> Operator:
    """Return the operator for a level that went up: mean after less mean before.

    Args:
        after: Whether each step lies after the change; some must, and some must not.
    """
    return _operator(np.stack([np.ones(len(after)), after], axis=1))


def _operator(design: Numbers) -> Operator:
    """Return the sum of all fitted coefficients but the constant, as weights of the steps."""
    inverse = np.asarray(np.linalg.pinv(design), dtype=np.float64)
    return Operator(np.asarray(inverse[1:].sum(axis=0)), design, inverse)
