"""The verdict on steps freed of what the machine did to them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from labkit.record import Verdict
from labkit.stats import sentence
from labkit.stats.drift import Drift, drift
from labkit.stats.judge import SHORTEST, judge
from labkit.stats.machine import Contention, Machine, contention
from labkit.stats.series import Numbers, read_seconds

COMPLAINTS = ("slowdown", "shift", "unsteady")
FEWEST_STEPS = 60
# Processor time alone must have doubled: threads that wait for each other spin, and that is booked
# as processor time, too.
SHARED_GROWTH = 1.0
WORTH_SAYING = 0.03


def judge_freed(seconds: Sequence[float] | Numbers, machine: Machine) -> Verdict:
    """Say what step times say, freed of the drift and of the contention of a shared machine.

    Where processors were short, processor time is judged in place of wall time. A complaint must
    then show in the wall time of the steps that did not wait as well, and a growth must be larger
    than what more contention makes by itself. Where a canary drifted, the part of its drift that
    the steps share is taken away.

    Args:
        seconds: The time of each step, in order, in seconds.
        machine: What was recorded of the machine at these steps.

    Returns:
        The verdict; its levels are those the steps would have had on a machine as at the start,
        and its detail says what the machine did.

    Raises:
        LabkitError: As `judge` does.
    """
    times = read_seconds(seconds)
    if len(times) < SHORTEST:
        return judge(times)
    computing = float(np.clip(np.median(machine.processor_seconds / times), 0.0, 1.0))
    drifted = drift(np.log(times), machine.canary_seconds, computing)
    factor = np.exp(drifted.shared) if drifted else np.ones(len(times))
    short = contention(times, machine)
    if short is None:
        verdict = judge(times / factor)
    else:
        verdict = _judge_contended(times / factor, short.processor_seconds / factor, short)
    if drifted and verdict.slower:
        verdict = _doubted(verdict, 1.96 * drifted.error)
    return _told(verdict, drifted, short)


def _judge_contended(times: Numbers, own: Numbers, short: Contention) -> Verdict:
    """Judge processor time, and believe a complaint only as far as the contention leaves room."""
    verdict = judge(own)
    if verdict.label not in COMPLAINTS or verdict.low is None or verdict.high is None:
        return verdict
    doubt = short.doubt()
    wall = judge(times[~short.waited] if (~short.waited).sum() >= FEWEST_STEPS else times)
    if verdict.label == wall.label == "unsteady":
        return verdict
    borne_out = wall.slower or verdict.low > SHARED_GROWTH
    if verdict.slower and borne_out and math.log1p(verdict.low) > doubt:
        return verdict
    return _withdrawn(verdict, doubt, doubt)


def _doubted(verdict: Verdict, half: float) -> Verdict:
    """Widen a growth's interval by half another one, and withdraw a growth that then may be none.

    Args:
        verdict: One that speaks of a growth.
        half: Half the 95 % interval of what was taken away, as a difference of logarithms.
    """
    if verdict.growth is None or verdict.low is None or verdict.high is None:
        return verdict
    rise = math.log1p(verdict.growth)
    below = math.hypot(rise - math.log1p(verdict.low), half)
    above = math.hypot(math.log1p(verdict.high) - rise, half)
    if below >= rise:
        return _withdrawn(verdict, half, half)
    return replace(verdict, low=math.expm1(rise - below), high=math.expm1(rise + above))


def _withdrawn(verdict: Verdict, below: float, above: float) -> Verdict:
    """Say that the machine may have made a growth; its interval widens by these logarithms."""
    low = min(0.0, math.expm1(math.log1p(verdict.low or 0.0) - below))
    high = math.expm1(math.log1p(verdict.high or 0.0) + above)
    return replace(
        verdict,
        label="warmup" if verdict.warmup_steps else "flat",
        low=low,
        high=high,
        onset_step=None,
        detail=sentence.no_growth_found(verdict.growth or 0.0, low, high),
    )


def _told(verdict: Verdict, drifted: Drift | None, short: Contention | None) -> Verdict:
    """Add what the machine did to the words of a verdict."""
    words = [verdict.detail]
    if drifted and abs(drifted.growth) >= WORTH_SAYING:
        way = "slower" if drifted.growth > 0 else "faster"
        words.append(f"the machine itself became {100 * abs(drifted.growth):.0f} % {way}")
    if short and short.short.mean() >= WORTH_SAYING:
        words.append(
            f"other programs used {short.others_cores:.1f} processors and left none idle in "
            f"{100 * short.short.mean():.0f} % of the steps, which are judged by processor time"
        )
    return replace(
        verdict,
        detail="; ".join(words),
        machine_growth=drifted.growth if drifted else None,
        contended_share=float(short.short.mean()) if short else 0.0,
    )
