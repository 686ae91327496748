"""Two runs of a graphics card whose clock was lower in one of them, because it was held back."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from labkit.record.verdict import WORTH_SAYING, HeldBy, Throttling
from labkit.stats.machine.card import Card


@dataclass(frozen=True)
class _End:
    """The last third of what a card said in a run."""

    log_mhz: float
    hot: bool
    capped: bool


def clocks_apart(one: Card, other: Card) -> Throttling | None:
    """Return how the clock of the card differed between the ends of two runs.

    Args:
        one: What the card said in the first run.
        other: The same of the second run.

    Returns:
        The clocks of the first run and of the second. None where they were alike, and where heat or
        the power limit did not hold the lower one back most of the time.
    """
    ends = _end(one), _end(other)
    if ends[0] is None or ends[1] is None:
        return None
    lower = min(ends[0], ends[1], key=lambda end: end.log_mhz)
    alike = abs(ends[0].log_mhz - ends[1].log_mhz) < math.log1p(WORTH_SAYING)
    if alike or not (lower.hot or lower.capped):
        return None
    both = lower.hot and lower.capped
    reason: HeldBy = "heat and power" if both else "heat" if lower.hot else "power"
    return Throttling(reason, math.exp(ends[0].log_mhz), math.exp(ends[1].log_mhz))


def _end(card: Card) -> _End | None:
    # For want of work its clock is low, whatever holds it back besides.
    read = np.flatnonzero((card.clock_mhz > 0) & ~(card.idle > 0))
    last = read[-max(1, len(read) // 3) :]
    if not len(last):
        return None
    hot, capped = (bool((each[last] > 0).mean() >= 0.5) for each in (card.hot, card.capped))
    return _End(float(np.median(np.log(card.clock_mhz[last]))), hot, capped)
