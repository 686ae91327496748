"""Doubt: whether a change of the level is more than the machine made.

All sizes are differences of logarithms, counted in the direction of the change that is claimed, so
that a loop said to become faster must stand the same test as one said to become slower.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from labkit.record import Verdict
from labkit.record.verdict import Label
from labkit.stats.series import Mask, Numbers

CHANGES: dict[Label, int] = {"slowdown": 1, "shift": 1, "speedup": -1}
SMALLEST_DOUBT = 0.02
HANDOVER_SECONDS = 1.5e-4
# A loop of plain Python steps hands nothing over, and a step of 20 us may well be growing.
LARGEST_HANDOVER = 0.3
# A neighbour on the other processor makes the same work 5 to 15 % slower, through the caches.
NEIGHBOUR_COST = 0.15
# Levels that other programs made were held for up to 0.24 s, and it takes some of them to be called
# unsteady.
UNSTEADY_SECONDS = 1.5
# Who used the processors is counted in ticks of 10 ms; of a shorter time than ten nobody can say.
BRIEF_SECONDS = 0.1
LATE_SHARE = 0.2


@dataclass(frozen=True)
class Change:
    """The change of level that a verdict speaks of, with its 95 % interval.

    Args:
        size: The change.
        least: The end of the interval that is nearer to no change, or beyond it.
        most: The other end.
    """

    size: float
    least: float
    most: float


def change(verdict: Verdict, direction: int) -> Change:
    """Return a verdict's change of level, counted upwards (direction 1) or downwards (-1)."""
    ends = (verdict.growth, verdict.low, verdict.high)
    size, low, high = (direction * math.log(max(1e-9, 1 + (end or 0.0))) for end in ends)
    return Change(size, min(low, high), max(low, high))


def direction_of(verdict: Verdict) -> int:
    """Return 1 where a verdict says slower, -1 where it says faster, 0 where neither."""
    return CHANGES.get(verdict.label, 0)


def handover_doubt(level_seconds: float) -> float:
    """Return the doubt there always is about steps this long, as a difference of logarithms.

    Measured on flat TensorFlow loops of 0.3 to 30 ms per step, two processors: passing work to
    another thread takes up to 0.15 ms more or less a step, for as long as the system keeps the
    threads where they are: two levels that nothing else tells apart.
    """
    return SMALLEST_DOUBT + min(LARGEST_HANDOVER, math.log1p(HANDOVER_SECONDS / level_seconds))


def risen(values: Numbers | Mask, claim: Verdict) -> float:
    """Return how much a series rose between the steps that a claim compares."""
    warm = claim.warmup_steps
    return rise(values[warm:], None if claim.onset_step is None else claim.onset_step - warm)


def rise(values: Numbers | Mask, onset: int | None) -> float:
    """Return how much a series rose: after the onset over before it, or last third over first.

    Args:
        values: Shape (steps,).
        onset: The step at which the level changed, None for a trend.
    """
    third = max(1, len(values) // 3)
    if onset is None or not third // 4 < onset < len(values) - third // 4:
        return float(np.mean(values[-third:]) - np.mean(values[:third]))
    return float(np.mean(values[onset:]) - np.mean(values[:onset]))


def exceeds(claim: Verdict, doubt: float) -> bool:
    """Tell whether a claimed change is larger than the doubt, to the near end of its interval."""
    return change(claim, direction_of(claim)).least > doubt


def is_brief(claim: Verdict, seconds: Numbers) -> bool:
    """Tell whether a change came last and lasted for less than the machine's use is counted in.

    A loop of 1.7 ms per step was called slower for its last 36 ms, in which some other program ran.

    Args:
        claim: A verdict that speaks of a change.
        seconds: All steps of the run.
    """
    if claim.onset_step is None:
        return False
    lasted = float(seconds[claim.onset_step :].sum())
    return lasted < min(BRIEF_SECONDS, LATE_SHARE * float(seconds.sum()))


def widened(verdict: Verdict, half: float) -> Verdict:
    """Widen the interval of a claimed change, and withdraw the claim where it then reaches zero.

    Args:
        verdict: One that speaks of a change.
        half: Half the 95 % interval of what was taken away for the machine.
    """
    direction = direction_of(verdict)
    claimed = change(verdict, direction)
    below = math.hypot(claimed.size - claimed.least, half)
    above = math.hypot(claimed.most - claimed.size, half)
    if below >= claimed.size:
        return withdrawn(verdict, half)
    low, high = sorted(
        math.expm1(direction * end) for end in (claimed.size - below, claimed.size + above)
    )
    return replace(verdict, low=low, high=high)


def spanning(claim: Verdict, others: Iterable[Verdict]) -> Verdict:
    """Return a claim with an interval that holds what the others say who say the same."""
    agreeing = (each for each in others if direction_of(each) == direction_of(claim))
    growths = [each.growth for each in (claim, *agreeing)]
    ends = [each for each in (claim.low, claim.high, *growths) if each is not None]
    return replace(claim, low=min(ends), high=max(ends))


def withdrawn(verdict: Verdict, doubt: float) -> Verdict:
    """Say that the machine may have made a change.

    The interval widens by the doubt, and no growth smaller than the doubt could have been shown.
    """
    seen = change(verdict, 1)
    low = min(0.0, math.expm1(seen.least - doubt))
    high = max(0.0, math.expm1(seen.most + doubt))
    label: Label = "warmup" if verdict.warmup_steps else "flat"
    if verdict.spike_period is not None:
        label = "spikes"
    return replace(
        verdict,
        label=label,
        low=low,
        high=high,
        reason="machine",
        onset_step=None,
        spikes=None,
        wandering=None,
        smallest_growth=max(verdict.smallest_growth or 0.0, math.expm1(doubt)),
    )
