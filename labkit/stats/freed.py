"""The verdict on steps freed of what the machine did to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from labkit.record import Verdict
from labkit.stats.doubt import (
    direction_of,
    exceeds,
    machine_doubt,
    stands,
    widened,
    withdrawn,
)
from labkit.stats.drift import Drift, shared_drift
from labkit.stats.judge import SHORTEST, judge
from labkit.stats.machine import Contention, Machine, contention, others_cores
from labkit.stats.series import Numbers, read_seconds

WORTH_SAYING = 0.03


def judge_freed(seconds: Sequence[float] | Numbers, machine: Machine) -> Verdict:
    """Say what step times say, freed of the drift and of the contention of a shared machine.

    Where processors were short, processor time is judged in place of wall time. A change must then
    show in the wall time of the steps that did not wait as well, and be larger than what more or
    less waiting makes by itself. Where a canary drifted, the part of its drift that the steps share
    is taken away, and a change must be larger than most of it.

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
    drifted = shared_drift(times, machine)
    factor = np.exp(drifted.shared) if drifted else np.ones(len(times))
    short, others = contention(times, machine), others_cores(times, machine)
    if short is None:
        verdict = judge(times / factor)
        doubt = machine_doubt(verdict, others, None)
        if others is not None and direction_of(verdict) and not exceeds(verdict, doubt):
            verdict = withdrawn(verdict, doubt)
    else:
        own = short.processor_seconds / factor
        verdict = _judge_contended(times / factor, own, short, others)
    if drifted and direction_of(verdict):
        verdict = widened(verdict, drifted.half_width())
    return _told(verdict, drifted, short)


def _judge_contended(
    times: Numbers, own: Numbers, short: Contention, others: Numbers | None
) -> Verdict:
    """Judge processor time and, of the steps that did not wait, wall time; believe what both say.

    Either is blind in its own way. Processor time contains what threads spin away while they wait
    for each other; of the steps that did not wait, there may be few, and none at the end.
    """
    rested = short.rested()
    if rested is None:
        rested = np.arange(len(times))
    by_processor, by_wall = judge(own), _replaced(judge(times[rested]), rested, len(times))
    for claim, other in ((by_processor, by_wall), (by_wall, by_processor)):
        doubt = machine_doubt(claim, others, short.waited)
        if direction_of(claim) and stands(claim, other, doubt):
            return claim
    if direction_of(by_processor) or by_processor.label == "unsteady" != by_wall.label:
        return withdrawn(by_processor, machine_doubt(by_processor, others, short.waited))
    return by_processor


def _replaced(verdict: Verdict, rested: NDArray[np.intp], steps: int) -> Verdict:
    """Return a verdict on some of the steps with its places counted among all."""
    onset = verdict.onset_step
    return replace(
        verdict,
        steps=steps,
        onset_step=None if onset is None else int(rested[onset]),
        warmup_steps=int(rested[verdict.warmup_steps]) if verdict.warmup_steps else 0,
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
