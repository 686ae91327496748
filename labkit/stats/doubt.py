"""Doubt: whether a change of the level is more than the machine made, and what to say then.

All sizes are differences of logarithms, counted in the direction of the change that is claimed, so
that a loop said to become faster must stand the same test as one said to become slower.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from labkit.record import Verdict
from labkit.stats import sentence

CHANGES = ("slowdown", "shift", "speedup")
BORNE_OUT = 1 / 3
NOT_EXCLUDED = 0.5
LARGE = math.log(1.28)


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
    if verdict.label not in CHANGES:
        return 0
    return -1 if verdict.label == "speedup" else 1


def stands(claim: Verdict, other: Verdict, doubt: float) -> bool:
    """Tell whether a claimed change is larger than the doubt, and another view bears it out.

    The other view must show at least a third of it, and either be sure of a change itself or, where
    the claim is a large one, at least not exclude most of it.

    Args:
        claim: A verdict that speaks of a change.
        other: What is said of the same run, looked at in another way.
        doubt: The change that the machine may have made.
    """
    direction = direction_of(claim)
    claimed, seen = change(claim, direction), change(other, direction)
    if claimed.least <= doubt or seen.size < BORNE_OUT * claimed.size:
        return False
    if direction_of(other) == direction and seen.least > doubt:
        return True
    return claimed.least > LARGE and seen.most >= NOT_EXCLUDED * claimed.size


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
    ends = sorted(
        math.expm1(direction * end) for end in (claimed.size - below, claimed.size + above)
    )
    return replace(verdict, low=ends[0], high=ends[1])


def withdrawn(verdict: Verdict, doubt: float) -> Verdict:
    """Say that the machine may have made a change; its interval widens by the doubt."""
    seen = change(verdict, 1)
    low = min(0.0, math.expm1(seen.least - doubt))
    high = max(0.0, math.expm1(seen.most + doubt))
    said = sentence.no_change_found(verdict.warmup_steps, verdict.growth or 0.0, low, high)
    return replace(
        verdict,
        label="warmup" if verdict.warmup_steps else "flat",
        low=low,
        high=high,
        onset_step=None,
        detail=said,
    )
