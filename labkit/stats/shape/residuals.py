"""Misfit: what a shape leaves of the points, where no shape fits them.

Growth that begins slowly, hurries and then slows down again is none of the shapes; the nearest of
them has its ends where no points are. It knows nothing of which shape was chosen, or why.
"""

from __future__ import annotations

import math

import numpy as np

from labkit.stats.noise import drawn_in, long_run_variance, standard_error
from labkit.stats.series import Numbers
from labkit.stats.shape.changepoints import criterion
from labkit.stats.shape.trend import Trend

# A bow and an S.
MOST_TERMS = 2
# A bend is as expensive as a place to begin: bursts must not bend a trend.
PRICE = 3.0
# What a polynomial has of its own, beside the columns before it, to be worth a try.
LEAST_OF_ITS_OWN = 1e-3


def mended(position: Numbers, values: Numbers, trend: Trend) -> Trend:
    """Bend a trend to where the points are: add the polynomials that its residuals ask for.

    None, one or more, by the Bayesian information criterion. The memory of the noise is measured
    on what all of them leave: on fewer, the misfit itself would pass for memory.

    Args:
        position: Where each point lies in the run, from 0 to 1.
        values: Logarithms of step times without spikes, same shape.
        trend: What was fitted to them.
    """
    last = drawn_in(values - trend.fitted)
    own, added = _bases(position, trend)
    terms = added.T @ last.residuals
    left = last.residuals[:, None] - np.cumsum(added * terms, axis=1)
    richest = left[:, -1]
    variance = long_run_variance(richest, own.shape[1] + len(terms))
    effective = max(10.0, float(richest @ richest) / variance)
    costs = [criterion(last.residuals, effective, 0)]
    costs += [criterion(left[:, k], effective, PRICE * (k + 1)) for k in range(len(terms))]
    count = int(np.argmin(costs))
    if count == 0:
        return trend
    fitted = trend.fitted + added[:, :count] @ terms[:count]
    basis = np.hstack([own, added[:, :count]])
    # The difference of both ends as a weighted sum of the points.
    weights = basis @ (basis[-1] - basis[0])
    error = standard_error(weights, left[:, count - 1], basis.shape[1]) / last.share
    return trend.bent(fitted, error, count)


def _bases(position: Numbers, trend: Trend) -> tuple[Numbers, Numbers]:
    """Return what the trend can do by itself, and polynomials beside that, as orthonormal columns.

    Shapes (points, columns) and (points, polynomials).
    """
    own = np.linalg.qr(trend.columns)[0]
    added = np.empty((len(position), 0))
    for degree in range(2, 2 + MOST_TERMS):
        column = np.polynomial.legendre.legval(2 * position - 1, [0] * degree + [1])
        column = column / math.sqrt(column @ column)
        for basis in (own, added, own, added):
            column = column - basis @ (basis.T @ column)
        size = math.sqrt(float(column @ column))
        if size > LEAST_OF_ITS_OWN:
            added = np.column_stack([added, column / size])
    return np.asarray(own, dtype=np.float64), np.asarray(added, dtype=np.float64)
