"""Throttling: how much slower a graphics card was because heat or its power limit held it back.

A step that computes on the card alone takes at most so much longer as the clock is lower; one that
waits for something else, less. So each step's time on a card that is not held back lies between two
bounds, and a change is the loop's where both show it.

A clock that is low for another reason is no excuse: a card lowers it by itself where the loop gives
it nothing to do. So only what the card itself says of heat and power counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import scipy
from numpy.typing import NDArray

from labkit.record import Verdict
from labkit.record.verdict import WORTH_SAYING, HeldBy, Throttling
from labkit.stats.machine.card import Card
from labkit.stats.machine.drift import level
from labkit.stats.series import Mask, Numbers
from labkit.stats.uncertainty import change, direction_of, spanning, withdrawn

SMALLEST_CHANGE = 0.02
# No card's clock falls further; a run file may say anything.
MOST_SLOWER = math.log(100)
# Of the clocks at which nothing held it back; a few are of moments with little work, and higher.
UNHELD_QUANTILE = 0.9
# Whoever is at the limit is held back in one reading and not in the next.
MOST_BETWEEN = 3
SMOOTHING_READINGS, FEWEST_TO_SMOOTH = 3, 5
CALMING_STEPS = 5


@dataclass(frozen=True)
class HeldBack:
    """How far a card was held back.

    Args:
        slower: By how much its clock was lower around each step than where nothing held it back, as
            a difference of logarithms, zero or more, shape (steps,).
        unheld_mhz: Its clock where nothing held it back.
        hot: Whether heat held it back.
        capped: Whether its power limit did.
    """

    slower: Numbers
    unheld_mhz: float
    hot: bool
    capped: bool

    def followed(self, log_seconds: Numbers) -> float:
        """Return the share of a step, from 0 to 1, that seems to follow the card's clock.

        Args:
            log_seconds: Logarithms of the step times, shape (steps,).
        """
        slope = float(np.polyfit(self.slower, log_seconds, 1)[0])
        return min(1.0, max(0.0, slope))

    def throttling(self, warmup_steps: int) -> Throttling | None:
        """Return it for a verdict; None where it is not worth a word.

        Args:
            warmup_steps: How many steps at the start the verdict sets aside.
        """
        both = self.hot and self.capped
        reason: HeldBy = "heat and power" if both else "heat" if self.hot else "power"
        slower = self.slower[warmup_steps:]
        first, last = level(slower, 0), level(slower, -1)
        wanders = abs(last - first) < math.log1p(WORTH_SAYING)
        if wanders:
            first, last = map(float, np.quantile(slower, (0.1, 0.9)))
        if abs(last - first) < math.log1p(WORTH_SAYING):
            return None
        first_mhz, last_mhz = (self.unheld_mhz * math.exp(-each) for each in (first, last))
        return Throttling(reason, first_mhz, last_mhz, wanders)


def held_back(card: Card, log_seconds: Numbers) -> HeldBack | None:
    """Return how far the card was held back, None where that did not change, or nobody knows.

    Args:
        card: What it said.
        log_seconds: Logarithms of the step times, shape (steps,); they tell when between two
            readings the clock changed.
    """
    read = np.flatnonzero(np.isfinite(card.clock_mhz) & (card.clock_mhz > 0))
    hot, capped, idle = (each[read] > 0 for each in (card.hot, card.capped, card.idle))
    held = (hot | capped) & ~idle
    if not held.any():
        return None
    log_mhz = np.log(card.clock_mhz[read])
    beside = _between_held(held) & ~idle
    unheld = ~held & ~idle & ~beside
    top = np.quantile(log_mhz[unheld], UNHELD_QUANTILE) if unheld.any() else log_mhz[~idle].max()
    slower = np.where(held, np.clip(top - log_mhz, 0.0, MOST_SLOWER), 0.0)
    # As far as its neighbours were: it may be low for another reason as well.
    neighbours = np.interp(read, read[held], slower[held])
    slower = np.where(beside, np.clip(top - log_mhz, 0.0, neighbours), slower)
    if len(slower) >= FEWEST_TO_SMOOTH:
        slower = scipy.ndimage.median_filter(slower, size=SMOOTHING_READINGS, mode="nearest")
    if np.ptp(slower) < SMALLEST_CHANGE:
        return None
    around = _around_each_step(slower, read, log_seconds)
    often_hot, often_capped = (bool(each[held].mean() >= 0.5) for each in (hot, capped))
    return HeldBack(around, math.exp(top), often_hot, often_capped)


def _between_held(held: Mask) -> Mask:
    """Mark the few readings between two at which the card was held back."""
    places, far = np.arange(len(held)), len(held) + MOST_BETWEEN + 2
    before = np.maximum.accumulate(np.where(held, places, -far))
    after = np.minimum.accumulate(np.where(held, places, 2 * far)[::-1])[::-1]
    return np.asarray(~held & (after - before <= MOST_BETWEEN + 1))


def _around_each_step(slower: Numbers, read: NDArray[np.intp], log_seconds: Numbers) -> Numbers:
    """Return what stands at each step, from what was read at some.

    Between two readings it changes once, where that leaves the least change in the step times.
    """
    calm = scipy.ndimage.median_filter(log_seconds, size=CALMING_STEPS, mode="nearest")
    changes = np.diff(calm)
    around = np.full(len(log_seconds), slower[0])
    for (start, end), (before, after) in zip(pairwise(read), pairwise(slower), strict=True):
        between = changes[start:end]
        at = start + 1 + int(np.argmin(np.abs(between - (after - before)) - np.abs(between)))
        around[start:at], around[at : end + 1] = before, after
    around[read[-1] :] = slower[-1]
    return around


def without_throttling(verdict: Verdict, unheld: Verdict) -> Verdict:
    """Withdraw what is said only because the card was held back.

    Args:
        verdict: What the step times say.
        unheld: What they say if each step had taken so much less as the card's clock was lower.

    Returns:
        A change that both say, its interval from one to the other; else no change. Where the card
        recovered, the steps may hide a growth, and the verdict says how large a one.
    """
    direction, other = direction_of(verdict), direction_of(unheld)
    # A level that the card moves to and fro may pass for spikes.
    calm = replace(verdict, spike_period=unheld.spike_period, spike_share=unheld.spike_share)
    if direction:
        if other == direction:
            return spanning(verdict, [unheld])
        return withdrawn(calm, abs(change(verdict, 1).size))
    if verdict.label == "unsteady":
        if unheld.label == "unsteady" or other or verdict.wandering is None:
            return verdict
        moved = verdict.wandering
        return withdrawn(calm, math.log(moved.highest_seconds / moved.lowest_seconds))
    if other > 0 and unheld.growth is not None:
        most = max(unheld.growth, verdict.high or 0.0)
        hidden = max(unheld.growth, verdict.smallest_growth or 0.0)
        return replace(verdict, high=most, smallest_growth=hidden)
    return verdict
