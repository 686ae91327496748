"""The ledger: which timed places the growth of a step is attributed to, and what stays unexplained.

Seconds are attributed, never correlations: any two rising series correlate. It names no cause.
"""

from __future__ import annotations

import math

import numpy as np

from labkit.diagnosis.contrast import Numbers, Operator, jump_operator, rise_operator
from labkit.record import UNEXPLAINED, Ledger, LedgerRow, Run, Verdict
from labkit.stats import spike_mask

FEWEST_STEPS = 10
MEASURED_SHARE = 0.5


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
    places = _measured_places(run)
    chosen = _chosen_steps(total, places, verdict)
    if chosen.size < FEWEST_STEPS:
        return Ledger()
    operator = _operator(total, chosen, verdict)
    unit = float(np.median(total[chosen]))
    growth = operator.growth(total[chosen])
    if not growth > 0:
        return Ledger()
    rows = [_row(name, seconds[chosen], operator, growth, unit) for name, seconds in places]
    rows.sort(key=lambda row: -row.seconds)
    rest = total[chosen] - sum((seconds[chosen] for _, seconds in places), np.zeros(chosen.size))
    left = _row(UNEXPLAINED, rest, operator, growth, unit)
    # Taken as the difference, so that the rows add up to the growth to the last digit.
    seconds_left = growth - math.fsum(row.seconds for row in rows)
    rows.append(LedgerRow(UNEXPLAINED, seconds_left, seconds_left / growth, left.low, left.high))
    return Ledger(growth, tuple(rows))


def _measured_places(run: Run) -> list[tuple[str, Numbers]]:
    """Return name and seconds of each place that was measured in at least half of the steps."""
    found = []
    for column in run.column_of_kind("place"):
        if column.name not in run.steps.names:
            continue
        seconds = np.asarray(run.steps.column(column.name))
        if np.isfinite(seconds).mean() >= MEASURED_SHARE:
            found.append((column.name, seconds))
    return found


def _chosen_steps(
    total: Numbers, places: list[tuple[str, Numbers]], verdict: Verdict
) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the steps to compare: after the warm-up, no spikes, all places measured."""
    take = np.zeros(len(total), dtype=np.bool_)
    take[verdict.warmup_steps :] = ~spike_mask(np.log(total[verdict.warmup_steps :]))
    for _, seconds in places:
        take &= np.isfinite(seconds)
    return np.flatnonzero(take)


def _operator(
    total: Numbers, chosen: np.ndarray[tuple[int], np.dtype[np.intp]], verdict: Verdict
) -> Operator:
    """Choose the operator that sees the growth as the verdict does."""
    if verdict.label == "shift" and verdict.onset_step is not None:
        after = chosen >= verdict.onset_step
        if after.any() and not after.all():
            return jump_operator(after)
    first, last = verdict.warmup_steps, len(total) - 1
    position = (chosen - first) / (last - first)
    line = rise_operator(position, degree=1)
    if verdict.first_seconds is None or verdict.last_seconds is None:
        return line
    # A line sees ramps and squares rightly. Where growth bends otherwise it misses the ends, and
    # the ledger would contradict the verdict.
    said = verdict.last_seconds - verdict.first_seconds
    bent = rise_operator(position, degree=3)
    misses = [abs(operator.growth(total[chosen]) - said) for operator in (line, bent)]
    return bent if misses[0] > 0.1 * abs(said) and misses[1] < misses[0] else line


def _row(name: str, seconds: Numbers, operator: Operator, growth: float, unit: float) -> LedgerRow:
    """Return one row with its interval; `unit` is a typical step, in seconds."""
    part = operator.growth(seconds)
    half = unit * operator.half_width(seconds / unit)
    return LedgerRow(name, part, part / growth, part - half, part + half)
