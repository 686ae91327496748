"""The claim: what the step times say, of all steps or of the first, and when that is a verdict.

A diagnosis chooses itself how many steps it runs, and on a restless machine it runs thousands. A
store that was full after 600 of them, or a level that rose after 120, is then too small a part of
the run to show, and what is flat by now was not flat for the reader. A machine that was quicker for
a while at the start does the same, so the change must be large.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from labkit.diagnosis.observed import Observed, of_part
from labkit.diagnosis.step_verdict import step_verdict
from labkit.record import Finding, Verdict
from labkit.record.verdict import Later
from labkit.stats.series import Numbers
from labkit.stats.uncertainty import withdrawn

SHORTEST = 300
LONGER = 3
# What comes after must be twice as long, and lie higher by this share of the change, nearly always.
LEAST_REST = 2
STAYS = 0.5
# Or, where the growth overshot, above this many times the start: copies that a store grew into took
# seven times as long at first, then, from memory that was used before, four times.
FAR_ABOVE = 2.0
NEARLY_ALWAYS = 0.9
PARTS = 20
# By so much of the growth the rest may lie off.
ALL_OF_IT = 0.25
# The lower end of the interval; a machine's own pace moves by 10 % and more for seconds.
LEAST_GROWTH = 0.25
MOST_DISTURBED = 0.1
QUIET = ("flat", "warmup", "spikes")
# A fit over the whole run lies below what was all over early; a loop that goes on growing has grown
# most by the end.
FAR_MORE = 1.5
# Over half a minute a machine's pace moves by nearly as much, and the canary does not see what
# only a disk or a cache does: a loop that writes files at each step was called 7 % slower.
SMALLEST_UNEXPLAINED = 0.1


@dataclass(frozen=True)
class Claim:
    """What the step times say, before anybody has asked for causes.

    Args:
        verdict: What they say.
        part: The steps that it is of: all of them, or the first, where the growth came early.
        growing: As many of those as grew: what they counted rests once the growth is over.
    """

    verdict: Verdict
    part: Observed
    growing: Observed


def claim_of(seen: Observed, whole: Verdict) -> Claim:
    """Return what all steps say or, where they got slower early and stayed so, the first of them.

    Of several lengths the shortest that has all of the growth in it, else the longest.

    Args:
        seen: All steps.
        whole: What they say. The first of them say more only where that speaks of no growth as
            large; where it is unsteady or speaks of a speedup, all that follows must lie far above
            the start.

    Raises:
        LabkitError: If a recorded step time is not a finite number above zero.
    """
    if whole.part is not None:
        part = of_part(seen, whole.part)
        return Claim(whole, part, part)
    grown = (whole.growth or 0.0) if whole.slower else 0.0
    least = max(LEAST_GROWTH, (1 + grown) ** FAR_MORE - 1)
    seconds = np.asarray(seen.judged.steps.seconds)
    found = []
    for steps in _lengths(len(seconds)):
        part = seen.first(steps)
        said = step_verdict(part)
        if said.slower and (said.low or 0.0) >= least and _stays(seconds[steps:], said, whole):
            found.append((part, said))
    if not found:
        return Claim(whole, seen, seen)
    part, said = next((each for each in found if _over(seconds, each[1])), found[-1])
    growing = seen.first(_risen(seconds[: said.steps], said))
    return Claim(_with_rest(said, seconds), part, growing)


def proven(claim: Verdict, causes: Sequence[Finding]) -> Verdict:
    """Return the verdict: a slowdown that may be smaller than 10 % needs a cause in the loop.

    Args:
        claim: What was said of the steps.
        causes: What makes them longer.
    """
    if not claim.slower or causes or (claim.low or 0.0) >= SMALLEST_UNEXPLAINED:
        return claim
    return withdrawn(claim, math.log1p(SMALLEST_UNEXPLAINED))


def _lengths(steps: int) -> list[int]:
    """Return the lengths to look at, each three times the one before."""
    found = []
    length = SHORTEST
    while length * (1 + LEAST_REST) <= steps:
        found.append(length)
        length *= LONGER
    return found


def _stays(rest: Numbers, said: Verdict, whole: Verdict) -> bool:
    """Tell whether the steps after a growth lie above half of it nearly always, or far above."""
    medians = [np.median(part) for part in np.array_split(rest, PARTS)]
    least = FAR_ABOVE * (said.first_seconds or np.inf)
    if _is_disturbed(whole):
        least = np.inf  # the machine may have made it, and the rest is not corrected for that
    if whole.slower or whole.label in QUIET:
        least = min(least, _level(said, STAYS))
    return float(np.mean(np.asarray(medians) > least)) >= NEARLY_ALWAYS


def _is_disturbed(whole: Verdict) -> bool:
    moved = abs(whole.machine_growth or 0.0)
    shared = max(moved, whole.contended_share or 0.0) > MOST_DISTURBED
    return shared or whole.throttling is not None


def _risen(seconds: Numbers, said: Verdict) -> int:
    """Return after how many steps most of a growth was over."""
    parts = np.array_split(np.arange(len(seconds)), PARTS)
    high = [bool(np.median(seconds[part]) >= _level(said, NEARLY_ALWAYS)) for part in parts]
    return int(parts[high.index(True)][-1]) + 1 if True in high else len(seconds)


def _level(said: Verdict, share: float) -> float:
    """Return the level at which a share of a growth is over, in seconds."""
    first, last = said.first_seconds or 0.0, said.last_seconds or 0.0
    return first + share * (last - first)


def _over(seconds: Numbers, said: Verdict) -> bool:
    """Tell whether a growth was over in the steps it is said of: the rest is at its last level."""
    first, last = said.first_seconds or 0.0, said.last_seconds or 0.0
    return abs(float(np.median(seconds[said.steps :])) - last) <= ALL_OF_IT * (last - first)


def _with_rest(said: Verdict, seconds: Numbers) -> Verdict:
    rest = seconds[said.steps :]
    return replace(said, later=Later(len(rest), float(np.median(rest)), _over(seconds, said)))
