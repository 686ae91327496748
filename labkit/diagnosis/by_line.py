"""The unexplained part of the growth, split by line of the reader's own code.

Where no patched function had the growth, the stacks that were sampled early and late may: the lines
that take longer at the end than at the start are given rows, as far as there is something
unexplained.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from labkit.record import UNEXPLAINED, Ledger, LedgerRow

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
