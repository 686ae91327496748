"""The ledger: which timed places the growth of a step is attributed to, and what stays unexplained.

Seconds are attributed, never correlations: any two rising series correlate. It names no cause.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from labkit.record import UNEXPLAINED, Ledger, LedgerRow, Run, Verdict
from labkit.stats import spike_mask, standard_error, t_quantile
from labkit.stats.series import Numbers

FEWEST_STEPS = 6
MEASURED_SHARE = 0.5


@dataclass(frozen=True)
class Operator:
    """A growth as a weighted sum of steps: being linear, it splits a sum into parts that add up.

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

    def first(self, seconds: Numbers) -> float:
        """Return how long such a series is at its first level."""
        return float(self.inverse[0] @ seconds)

    def half_width(self, relative: Numbers) -> float:
        """Return half the 95 % interval of the growth, by equal-weighted cosines.

        Args:
            relative: The series in units of a typical step: the clock's grain is set relative
                to that.
        """
        residuals = np.asarray(relative - self.design @ (self.inverse @ relative))
        error = standard_error(self.weights, residuals, self.design.shape[1])
        return t_quantile(0.975, len(relative)) * error


def operator_of(design: Numbers) -> Operator:
    """Return the operator for a fit: the sum of all coefficients but the constant.

    Args:
        design: A column of ones, then what is fitted, shape (steps, parameters): powers of the
            position from 0 to 1 for a trend, 0 and 1 for a level that went up.
    """
    inverse = np.asarray(np.linalg.pinv(design), dtype=np.float64)
    return Operator(np.asarray(inverse[1:].sum(axis=0)), design, inverse)


def place_seconds(run: Run) -> dict[str, Numbers]:
    """Return the seconds of each step at each place, by the name of its column."""
    names = [each.name for each in run.column_of_kind("place") if each.name in run.steps.names]
    return {name: np.asarray(run.steps.column(name)) for name in names}


def book(run: Run, verdict: Verdict) -> Ledger:
    """Attribute the growth of a run to its places.

    One linear operator turns the seconds of each step into a growth, and the same operator turns
    the seconds at each place into that place's part, so that the parts and the unexplained rest
    add up to the growth. Warm-up and spikes are set aside for all alike.

    Args:
        run: In which no toggle was flipped. Columns of the kind ``place`` must not count a second
            twice.
        verdict: What was said of exactly these steps.

    Returns:
        The rows, largest first, ``unexplained`` last, each with a 95 % interval; empty where the
        verdict is not slower or the steps grew by nothing. A place that was not measured in at
        least half of the steps has no row: its seconds stay unexplained.
    """
    if not verdict.slower:
        return Ledger()
    total = np.asarray(run.steps.seconds)
    places = {
        name: seconds
        for name, seconds in place_seconds(run).items()
        if np.isfinite(seconds).mean() >= MEASURED_SHARE
    }
    chosen = _chosen_steps(total, places, verdict)
    if chosen.size < FEWEST_STEPS:
        return Ledger()
    operator = _operator(total, chosen, verdict)
    unit = float(np.median(total[chosen]))
    growth = operator.growth(total[chosen])
    if not growth > 0:
        return Ledger()
    held = {name: seconds[chosen] for name, seconds in places.items()}
    rows = [_row(name, seconds, operator, growth, unit) for name, seconds in held.items()]
    rows.sort(key=lambda row: -row.seconds)
    rest = total[chosen] - sum(held.values(), np.zeros(chosen.size))
    left = _row(UNEXPLAINED, rest, operator, growth, unit)
    # Taken as the difference, so that the rows add up to the growth to the last digit.
    seconds_left = growth - math.fsum(row.seconds for row in rows)
    rows.append(replace(left, seconds=seconds_left, share=seconds_left / growth))
    return Ledger(growth, tuple(rows))


def _chosen_steps(
    total: Numbers, places: dict[str, Numbers], verdict: Verdict
) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the steps to compare: after the warm-up, no spikes, all places measured."""
    take = np.zeros(len(total), dtype=np.bool_)
    take[verdict.warmup_steps :] = ~spike_mask(np.log(total[verdict.warmup_steps :]))
    for seconds in places.values():
        take &= np.isfinite(seconds)
    return np.flatnonzero(take)


def _operator(
    total: Numbers, chosen: np.ndarray[tuple[int], np.dtype[np.intp]], verdict: Verdict
) -> Operator:
    """Choose the operator that sees the growth as the verdict does."""
    if verdict.label == "shift" and verdict.onset_step is not None:
        after = chosen >= verdict.onset_step
        if after.any() and not after.all():
            return operator_of(np.stack([np.ones(len(after)), after], axis=1))
    first, last = verdict.warmup_steps, len(total) - 1
    position = (chosen - first) / (last - first)
    line = operator_of(np.vander(position, 2, increasing=True))
    if verdict.first_seconds is None or verdict.last_seconds is None:
        return line
    # A line sees ramps and squares rightly. Where growth bends otherwise it misses the ends, and
    # the ledger would contradict the verdict.
    said = verdict.last_seconds - verdict.first_seconds
    bent = operator_of(np.vander(position, 4, increasing=True))
    misses = [abs(operator.growth(total[chosen]) - said) for operator in (line, bent)]
    return bent if misses[0] > 0.1 * abs(said) and misses[1] < misses[0] else line


def _row(name: str, seconds: Numbers, operator: Operator, growth: float, unit: float) -> LedgerRow:
    """Return one row with its interval; `unit` is a typical step, in seconds."""
    part = operator.growth(seconds)
    half = unit * operator.half_width(seconds / unit)
    first = operator.first(seconds)
    return LedgerRow(name, part, part / growth, part - half, part + half, first)
