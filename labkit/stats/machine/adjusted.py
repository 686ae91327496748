"""The verdict on step times corrected for what the machine did to them.

One model: the logarithm of a step's time on an idle machine is a shape over the steps, plus a drift
of the machine that a canary shows, plus noise that remembers. What other programs took is measured
(`labkit.stats.machine.contention`). Where it is known between two bounds only, the likely times are
judged, a change must be excluded by neither bound, and its interval holds what both say. Nor by the
steps as they were, before the machine's drift was taken away: a canary that meets a neighbour where
the steps do not made a flat loop look 1.4 times as slow. A graphics
card that heat or its power limit held back (`labkit.stats.machine.throttling`) is judged twice: as
the steps were, and as if each had followed the card's clock. A change is claimed where both say it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from labkit.record import Verdict
from labkit.record.verdict import WORTH_SAYING
from labkit.stats.judge import SHORTEST, judge
from labkit.stats.machine.contention import Contention, contention
from labkit.stats.machine.drift import Drift, shared_drift, wandering_doubt
from labkit.stats.machine.lasting_trend import lasts
from labkit.stats.machine.readings import Machine
from labkit.stats.machine.throttling import held_back, without_throttling
from labkit.stats.series import Numbers, read_seconds
from labkit.stats.shape.instability import STEADY_BAND
from labkit.stats.uncertainty import (
    NEIGHBOUR_COST,
    SMALLEST_DOUBT,
    UNSTEADY_SECONDS,
    change,
    direction_of,
    exceeds,
    handover_doubt,
    is_brief,
    rise,
    risen,
    spanning,
    widened,
    withdrawn,
)

WANDERING_PARTS = 20
# Where nobody counted what others took, they may have made any change that came with them; levels
# bear a few disturbed steps.
MOST_UNCOUNTED = 0.1
# Other programs also share caches and memory, which neither the scheduler nor a canary that stays
# in its caches can tell: a flat loop took 1.5 times as long while another program copied memory.
# When they go, the threads of a pool are moved apart: flat steps took 7 % longer from then on.
NEIGHBOUR_DOUBT = 0.4
# Where nobody counted it, others may hide a change in steps that seem flat.
UNCOUNTED_DOUBT = math.log(2)


def judge_adjusted(seconds: Sequence[float] | Numbers, machine: Machine) -> Verdict:
    """Say what step times say, corrected for the drift and the contention of a shared machine.

    Args:
        seconds: The time of each step, in order, in seconds.
        machine: What was recorded of the machine at these steps.

    Returns:
        The verdict; its levels are those the steps would have had on a machine as at the start and
        of their own, and beside them it has what the machine did. Its median is of the time that
        was their own, whatever the machine's pace: a curve shows that.

    Raises:
        LabkitError: As `judge` does.
    """
    times = read_seconds(seconds)
    if len(times) < SHORTEST:
        return judge(times)
    found = contention(times, machine)
    drifted = shared_drift(found.likely, machine)
    pace = np.exp(drifted.shared) if drifted else np.ones(len(times))
    verdict = _judged(pace, machine, found, drifted)
    log_seconds = np.log(found.likely / pace)
    card = held_back(machine.card, log_seconds) if machine.card else None
    if card is not None:
        share = 1.0
        if verdict.label == "unsteady":  # less than all, or the level would move the other way
            share = card.followed(log_seconds)
        unheld = _judged(pace * np.exp(share * card.slower), machine, found, drifted)
        verdict = without_throttling(verdict, unheld)
    middle = float(np.median(found.likely[verdict.warmup_steps :]))
    return replace(
        verdict,
        median_seconds=None if verdict.median_seconds is None else middle,
        machine_growth=drifted.growth if drifted else None,
        contended_share=found.share if found.measured else found.busy_share,
        contention_counted=found.measured,
        throttling=card.throttling(verdict.warmup_steps) if card else None,
    )


def _judged(pace: Numbers, machine: Machine, found: Contention, drifted: Drift | None) -> Verdict:
    """Say what the step times say that others left, each divided by how slow the machine was.

    Args:
        pace: How slow it was at each step; 1 is as at the start, shape (steps,).
        machine: What was recorded of it.
        found: What other programs took.
        drifted: What of the machine's drift is in the pace.
    """
    likely, *ends = (each / pace for each in (found.likely, found.longest, found.shortest))
    verdict = judge(likely)
    known = found.longest is found.shortest
    judged = [verdict] if known else [verdict, *map(judge, ends)]
    if direction_of(verdict) or verdict.label == "unsteady":
        seen = [judge(found.likely)] if drifted else []
        return _tested(judged, seen, likely, machine, found, drifted)
    apart = rise(np.log(ends[0] / ends[1])[verdict.warmup_steps :], None)
    return judge(likely, doubt=max(abs(apart), UNCOUNTED_DOUBT * found.uncounted))


def _tested(
    judged: list[Verdict],
    seen: list[Verdict],
    likely: Numbers,
    machine: Machine,
    found: Contention,
    drifted: Drift | None,
) -> Verdict:
    """Return the first change that nothing speaks against, or withdraw what was said.

    Args:
        judged: What the likely times say, a change or unsteady; then what both bounds say.
        seen: What they say as they were, if a drift of the machine was taken away.
        likely: How long each step is likely to have taken.
        machine: What was recorded of it.
        found: What other programs took.
        drifted: What of the machine's drift was taken away.
    """
    verdict, drift_half = judged[0], drifted.half_width() if drifted else 0.0
    for claim in filter(direction_of, judged):
        others = [each for each in judged if each is not claim]
        witnesses = [*others, *seen]
        doubt, half = _doubt(claim, found), drift_half
        if not exceeds(claim, doubt) and (trend_half := _lasts(claim, likely, found)) is not None:
            doubt, half = SMALLEST_DOUBT, math.hypot(half, trend_half)
        if exceeds(claim, doubt) and not any(_excludes(each, claim, doubt) for each in witnesses):
            kept = widened(claim, half)
            if direction_of(kept):
                return spanning(kept, others)
    if verdict.label == "unsteady":
        return _settled(judged, likely, machine, found)
    return withdrawn(verdict, max(abs(change(verdict, 1).size), drift_half))


def _lasts(claim: Verdict, likely: Numbers, found: Contention) -> float | None:
    """Return half the 95 % interval of a trend that no machine makes, None where there is none."""
    if not found.measured:
        return None
    warm = claim.warmup_steps
    return lasts(np.log(likely[warm:]), found.others_cores[warm:], direction_of(claim))


def _doubt(claim: Verdict, found: Contention) -> float:
    """Return how large a change the machine may have made beyond what was taken away."""
    direction = direction_of(claim)
    if not found.measured:
        came = direction * risen(found.busy, claim)
        if is_brief(claim, found.likely) or (found.uncounted and came > MOST_UNCOUNTED):
            return math.inf
    came = direction * risen(found.others_cores, claim)
    neighbour = NEIGHBOUR_DOUBT * min(1.0, came) if came > 0 else NEIGHBOUR_COST * min(1.0, -came)
    return handover_doubt(claim.first_seconds or math.inf) + neighbour


def _excludes(end: Verdict, claim: Verdict, doubt: float) -> bool:
    """Tell whether another estimate, give or take its error, has no such change."""
    return end.growth is not None and change(end, direction_of(claim)).most <= doubt


def _settled(
    judged: list[Verdict], likely: Numbers, machine: Machine, found: Contention
) -> Verdict:
    """Withdraw a level that moves no more than the machine may have moved it."""
    verdict, handover = judged[0], handover_doubt(float(np.median(likely)))
    if change(verdict, 1).least > handover and not found.uncounted:
        return verdict  # wherever it wandered, it ended above
    wandered = _wandering(likely[verdict.warmup_steps :])
    doubt = handover + STEADY_BAND + wandering_doubt(machine.canary_seconds)
    moved = all(each.label == "unsteady" for each in judged)
    # Others took so much that it matters, or may have.
    shared = not found.measured or found.share >= WORTH_SAYING
    brief = shared and likely.sum() < UNSTEADY_SECONDS
    if not moved or brief or wandered <= doubt or found.uncounted:
        return withdrawn(verdict, wandered)
    return verdict


def _wandering(seconds: Numbers) -> float:
    """Return how far the level wanders, as a logarithm; the least and the most tenth left out."""
    parts = np.array_split(np.log(seconds), min(WANDERING_PARTS, len(seconds)))
    return float(np.ptp(np.quantile([np.median(part) for part in parts], (0.1, 0.9))))
