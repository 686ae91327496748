"""Levels: the piecewise-constant view of a series, with only the changes that noise cannot make.

It knows nothing of trends; whether levels or a trend describe the series better is asked in shape.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.stats.noise import QUIETEST, drawn_in, effective_points, long_run_variance
from labkit.stats.series import Numbers

MOST_LEVELS = 8
MOST_PLACES = 200
SMALLEST_CHANGE = math.log(1.05)
MOVING_CHANGE = math.log(1.15)
MOVING_GATE = 4.0


@dataclass(frozen=True)
class Levels:
    """A series as a few constant levels.

    Args:
        edges: Where each level begins, and the end of the last; one more than there are levels.
        values: The mean of the series on each level.
    """

    edges: tuple[int, ...]
    values: tuple[float, ...]

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many points each level holds."""
        return tuple(int(length) for length in np.diff(self.edges))

    @property
    def changes(self) -> tuple[float, ...]:
        """The height of each change, in order; positive is up."""
        return tuple(float(height) for height in np.diff(self.values))

    def fitted(self) -> Numbers:
        """Return the levels as a series, shape (points,)."""
        return np.repeat(np.asarray(self.values), self.lengths)


def find_levels(values: Numbers, *, gate: float) -> Levels:
    """Fit up to eight levels and keep the changes that stand out of the noise.

    Args:
        values: Logarithms of step times without spikes, shape (points,).
        gate: The smallest change to keep, in standard errors by the long-run variance.
    """
    return pruned(values, rough_levels(values), gate=gate)


def moving(values: Numbers, levels: Levels) -> Levels:
    """Keep of given levels the changes of 15 % that stand out of the noise of single steps.

    Noise that remembers may have made them; the level has moved all the same.
    """

    def excess(levels: Levels) -> Numbers:
        variance = float(np.square(values - levels.fitted()).mean()) + QUIETEST**2
        least = np.maximum(MOVING_CHANGE, MOVING_GATE * _errors(levels, variance))
        return np.asarray(np.abs(levels.changes) / least)

    return _without_weak(values, levels, excess, least=1)


def pruned(values: Numbers, levels: Levels, *, gate: float) -> Levels:
    """Drop the weakest change again and again until all are 5 % and `gate` standard errors."""

    def strength(levels: Levels) -> Numbers:
        heights = np.abs(levels.changes)
        errors = _errors(levels, level_variance(values, levels))
        return np.where(heights < SMALLEST_CHANGE, 0.0, heights / errors)

    return _without_weak(values, levels, strength, least=gate)


def _errors(levels: Levels, variance: float) -> Numbers:
    """Return the standard error of each change, where points vary so much."""
    lengths = np.asarray(levels.lengths, dtype=np.float64)
    return np.asarray(np.sqrt(variance * (1 / lengths[1:] + 1 / lengths[:-1])))


def _without_weak(
    values: Numbers, levels: Levels, strength: Callable[[Levels], Numbers], *, least: float
) -> Levels:
    """Make one of the levels on either side of the weakest change, until all are strong enough."""
    while levels.changes:
        strengths = strength(levels)
        weakest = int(np.argmin(strengths))
        if strengths[weakest] >= least:
            break
        edges = levels.edges
        levels = levels_at(values, edges[: weakest + 1] + edges[weakest + 2 :])
    return levels


def rough_levels(values: Numbers) -> Levels:
    """Fit the number of levels that the Bayesian information criterion chooses."""
    n = len(values)
    fits = best_edges(values, most=MOST_LEVELS, shortest=max(5, math.ceil(0.08 * n)))
    # Measured on the richest fit and corrected for its bias: on fewer levels than there are, every
    # level left out would pass for memory in the noise, and a wandering series for one quiet level.
    rich = fits[-1]
    effective = effective_points(values - levels_at(values, rich).fitted(), 2 * len(rich) - 3)
    costs = []
    for edges in fits:
        residuals = values - levels_at(values, edges).fitted()
        count = len(edges) - 1
        costs.append(criterion(residuals, effective, 1.5 * (2 * count - 1)))
    return levels_at(values, fits[int(np.argmin(costs))])


def criterion(residuals: Numbers, effective: float, parameters: float) -> float:
    """Return the Bayesian information criterion for noise worth `effective` independent points."""
    variance = float(residuals @ residuals) / len(residuals) + QUIETEST**2
    return effective * math.log(variance) + parameters * math.log(effective)


def best_edges(values: Numbers, *, most: int, shortest: int) -> list[tuple[int, ...]]:
    """Return the edges of least squared residuals for 1, 2, ... levels, by dynamic programming.

    Exact (Bellman 1961) for changes at up to 200 evenly spread places, which is every place in
    series of up to 200 points; takes 200 x 200 operations a level.
    """
    n = len(values)
    places = np.unique(np.linspace(0, n, min(n, MOST_PLACES) + 1).astype(int))
    cost = _segment_costs(values - values.mean(), places, shortest)
    best = cost[:, 0]
    parents: list[NDArray[np.intp]] = []
    found: list[tuple[int, ...]] = [(0, n)]
    for _ in range(most - 1):
        # One row an end, one column a possible last change.
        totals = cost + best
        parents.append(np.argmin(totals, axis=1))
        best = totals[np.arange(len(places)), parents[-1]]
        if not math.isfinite(best[-1]):
            break
        back = [len(places) - 1]
        for parent in reversed(parents):
            back.append(int(parent[back[-1]]))
        found.append((0, *(int(places[place]) for place in reversed(back))))
    return found


def _segment_costs(centred: Numbers, places: NDArray[np.int_], shortest: int) -> Numbers:
    """Return the squared residuals around the mean up to each place (row) from each earlier one."""
    sums = np.concatenate([[0.0], np.cumsum(centred)])[places]
    squares = np.concatenate([[0.0], np.cumsum(centred**2)])[places]
    lengths = (places[:, None] - places[None, :]).astype(np.float64)
    cost = squares[:, None] - squares[None, :]
    cost -= (sums[:, None] - sums[None, :]) ** 2 / np.maximum(lengths, 1.0)
    cost[lengths < shortest] = np.inf
    return np.asarray(np.maximum(cost, 0.0))


def levels_at(values: Numbers, edges: tuple[int, ...]) -> Levels:
    """Return the levels between given edges."""
    sums = np.add.reduceat(values, edges[:-1])
    return Levels(edges, tuple(float(mean) for mean in sums / np.diff(edges)))


def level_variance(values: Numbers, levels: Levels) -> float:
    """Return the long-run variance around levels, where far residuals count as moderate ones."""
    limited = drawn_in(values - levels.fitted())
    return long_run_variance(limited.residuals, len(levels.values)) / limited.share**2
