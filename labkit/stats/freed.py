"""The verdict on steps freed of what the machine did to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from labkit.record import Verdict
from labkit.stats.crowding import Crowding, crowding
from labkit.stats.doubt import (
    UNSTEADY_SECONDS,
    change,
    direction_of,
    exceeds,
    is_brief,
    machine_doubt,
    rise,
    risen,
    widened,
    withdrawn,
)
from labkit.stats.drift import Drift, shared_drift
from labkit.stats.judge import SHORTEST, judge
from labkit.stats.machine import Machine
from labkit.stats.parts import doubled_part
from labkit.stats.series import Numbers, read_seconds
from labkit.stats.toll import toll
from labkit.stats.unrest import unrest
from labkit.stats.wandering import STEADY_BAND

WORTH_SAYING = 0.03
WANDERING_PARTS = 20


def judge_freed(
    seconds: Sequence[float] | Numbers, machine: Machine, parts: Sequence[Numbers] = ()
) -> Verdict:
    """Say what step times say, freed of the drift and of the crowding of a shared machine.

    Taken away are the part of a canary's drift that the steps share, the waits of single steps for
    a processor that others used, and what others cost the steps beyond that, as far as the steps
    themselves show it. A change must then be larger than what may be wrong with all this.

    Args:
        seconds: The time of each step, in order, in seconds.
        machine: What was recorded of the machine at these steps.
        parts: What parts of each step took, in seconds, each of the same shape: one that grows by
            far more than a machine makes settles what a canary leaves in doubt.

    Returns:
        The verdict; its levels are those the steps would have had on a machine as at the start and
        of their own, and its detail says what the machine did.

    Raises:
        LabkitError: As `judge` does.
    """
    times = read_seconds(seconds)
    if len(times) < SHORTEST:
        return judge(times)
    drifted = shared_drift(times, machine)
    crowd = crowding(times, machine)
    if drifted:
        times = times / np.exp(drifted.shared)
    if crowd is None:
        verdict = judge(times)
    else:
        verdict = _judge_crowded(times * (crowd.seconds / read_seconds(seconds)), crowd)
    restless = unrest(machine.canary_seconds)
    if direction_of(verdict):
        moved = restless.change_doubt(verdict) if restless else 0.0
        settled = widened(verdict, max(moved, drifted.half_width() if drifted else 0.0))
        # Where others use the processors, threads that wait for each other take twice as long, too.
        if not settled.slower and not (crowd and crowd.short.mean() >= WORTH_SAYING):
            settled = doubled_part(verdict, times, parts) or settled
        verdict = settled
        if direction_of(verdict) and is_brief(verdict, times):
            verdict = withdrawn(verdict, abs(change(verdict, 1).size))
    elif verdict.label == "unsteady" and times.sum() < UNSTEADY_SECONDS:
        verdict = withdrawn(verdict, _wandering(times[verdict.warmup_steps :]))
    elif verdict.label == "unsteady" and restless:
        verdict = _settled(verdict, read_seconds(seconds), restless.level_doubt())
    return _told(verdict, drifted, crowd)


def _judge_crowded(times: Numbers, crowd: Crowding) -> Verdict:
    """Judge steps without what others cost them; withdraw what may be wrong with that."""
    taken = toll(np.log(times), crowd.pressure())
    freed = times / np.exp(taken.cost)
    verdict = judge(freed)
    doubt = machine_doubt(verdict, taken, crowd)
    if verdict.label == "unsteady":
        wandered = _wandering(freed[verdict.warmup_steps :])
        return withdrawn(verdict, doubt) if wandered <= doubt + STEADY_BAND else verdict
    if not direction_of(verdict):
        # What was taken away may hide a change as well as make one.
        return judge(freed, doubt=taken.doubt(rise(taken.pressure, None)))
    if not exceeds(verdict, doubt):
        return withdrawn(verdict, doubt)
    return widened(verdict, taken.doubt(risen(taken.pressure, verdict)))


def _settled(verdict: Verdict, times: Numbers, doubt: float) -> Verdict:
    """Withdraw a level that moves no more than the machine may have moved it."""
    wandered = _wandering(times[verdict.warmup_steps :])
    return withdrawn(verdict, doubt) if wandered <= doubt + STEADY_BAND else verdict


def _wandering(seconds: Numbers) -> float:
    """Return how far the level wanders, as a logarithm; the least and the most tenth left out."""
    parts = np.array_split(np.log(seconds), min(WANDERING_PARTS, len(seconds)))
    return float(np.ptp(np.quantile([np.median(part) for part in parts], (0.1, 0.9))))


def _told(verdict: Verdict, drifted: Drift | None, crowd: Crowding | None) -> Verdict:
    """Add what the machine did to the words of a verdict."""
    words = [verdict.detail]
    if drifted and abs(drifted.growth) >= WORTH_SAYING:
        way = "slower" if drifted.growth > 0 else "faster"
        words.append(f"the machine itself became {100 * abs(drifted.growth):.0f} % {way}")
    short = float(crowd.short.mean()) if crowd else 0.0
    if crowd and short >= WORTH_SAYING:
        cores = float(crowd.others[crowd.short].mean())
        words.append(
            f"other programs used {cores:.1f} processors and left none idle in "
            f"{100 * short:.0f} % of the steps; what that cost is taken away"
        )
    return replace(
        verdict,
        detail="; ".join(words),
        machine_detail="; ".join(words[1:]),
        machine_growth=drifted.growth if drifted else None,
        contended_share=short,
    )
