"""Lines of code that take longer: what the stacks saw late in a run and did not see early.

Where no patched function had the growth, those lines may: they are given rows of the ledger, as far
as there is something unexplained.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from labkit.diagnosis.ledger import place_seconds
from labkit.record import UNEXPLAINED, Ledger, LedgerRow, Run

STACK, SAMPLED = "stack/", "sampled"
# A third of the looks at either end stands for early and late.
LOOKS_SHARE = 0.34
# Below it the places say enough, and a line would only repeat them.
LEAST_UNEXPLAINED = 0.1
SMALLEST_ROW = 0.1
MOST_ROWS = 3
# What is called there is timed in the patched functions, and is in their rows already.
TIMED_ELSEWHERE = (" > tensorflow.", " > keras.")
# So is a line that grew by far more than is unexplained, e.g. one that sleeps.
MOST_OF_UNEXPLAINED = 1.5
# The looks lie apart by a part of the run only; a larger factor would be noise.
MOST_STRETCHED = 5.0


def slower_lines(run: Run) -> tuple[tuple[tuple[str, float], ...], float]:
    """Return what the stacks say; nothing of a run that was not looked at twice.

    Args:
        run: With its sampled steps.

    Returns:
        The lines whose time in one step grew from early to late, with the seconds, most first; and
        by how much a step grew from look to look beside what the places held in the very steps
        looked at. A look makes Python slower, on a place as beside it.
    """
    read = {name: dict(pairs) for name, pairs in run.evidence.items() if name.startswith(STACK)}
    looks = sorted({step for found in read.values() for step in found})
    if len(looks) < 2:
        return (), 0.0
    share = max(1, round(LOOKS_SHARE * len(looks)))
    early, late = looks[:share], looks[-share:]

    def rise(found: Mapping[int, float]) -> float:
        before, after = (sum(found.get(step, 0.0) for step in part) for part in (early, late))
        return (after - before) / share

    growth = {name.removeprefix(STACK): rise(found) for name, found in read.items()}
    slower = sorted((pair for pair in growth.items() if pair[1] > 0), key=lambda pair: -pair[1])
    return tuple(slower), sum(growth.values()) - rise(_at_places(run, {*early, *late}))


def by_line(ledger: Ledger, functions: Sequence[tuple[str, float]], unbooked: float) -> Ledger:
    """Return the ledger with rows for the lines that grew.

    Args:
        ledger: Where the growth went, as far as patched functions tell.
        functions: Lines whose time in one step grew, and by how many seconds; most first.
        unbooked: By how many seconds per step grew beside its places in the same looks. A line is
            given its share of that, because the looks do not reach from the first step to the last.

    Returns:
        The ledger as it was, where the places explain more than 90 %. The rows still add up: what
        a line is given is taken from the unexplained rest.
    """
    if not ledger.rows or ledger.rows[-1].share < LEAST_UNEXPLAINED:
        return ledger
    *places, rest = ledger.rows
    stretched = rest.seconds / unbooked if unbooked > 0 else math.inf
    if not 1 / MOST_STRETCHED <= stretched <= MOST_STRETCHED:
        stretched = 1.0
    most = MOST_OF_UNEXPLAINED * rest.seconds
    lines: list[LedgerRow] = []
    for name, seconds in functions:
        if any(word in name for word in TIMED_ELSEWHERE) or len(lines) == MOST_ROWS:
            continue
        if seconds * stretched > most:
            continue
        taken = min(seconds * stretched, rest.seconds)
        if taken < SMALLEST_ROW * ledger.growth_seconds:
            continue
        lines.append(LedgerRow(name, taken, taken / ledger.growth_seconds))
        left = rest.seconds - taken
        # No interval any more: what is left is a difference of two ways to look.
        rest = replace(rest, seconds=left, share=left / ledger.growth_seconds, low=None, high=None)
    rows = sorted([*places, *lines], key=lambda row: -row.seconds)
    assert rest.place == UNEXPLAINED
    return Ledger(ledger.growth_seconds, (*rows, rest))


def _at_places(run: Run, looks: set[int]) -> dict[int, float]:
    """Return the seconds at all places together, a step, in the steps of each look.

    Args:
        looks: The step after the last that was looked at.
    """
    places = place_seconds(run)
    if not places or not len(run.steps):
        return {}
    booked = np.nansum(list(places.values()), axis=0)
    within = np.zeros(len(booked), dtype=np.bool_)
    if SAMPLED in run.steps.names:
        within = np.asarray(run.steps.column(SAMPLED)) > 0
    found = {}
    for end in looks:
        last = min(max(end, 1), len(booked))
        first = last - 1
        while first > 0 and within[first - 1]:
            first -= 1
        found[end] = float(np.mean(booked[first:last]))
    return found
