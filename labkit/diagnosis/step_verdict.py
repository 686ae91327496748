"""The verdict on the step times of one stretch, corrected for what the machine did to them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from labkit.diagnosis.ledger import place_seconds
from labkit.diagnosis.observed import Observed, judged_places, of_part
from labkit.record import Run, Verdict
from labkit.stats import Card, Machine, growing_part, judge, judge_adjusted, too_short
from labkit.stats.few import judge_few
from labkit.stats.machine.common_growth import without_common_growth
from labkit.stats.machine.contention import contention
from labkit.stats.series import Numbers

RECORDED = ("start_seconds", "cpu_seconds", "canary_seconds", "others_seconds", "idle_seconds")
# Not by all systems, and not in older runs.
COUNTED_BY_SOME = ("run_queue_seconds", "thread_seconds", "pool_queue_seconds")
# Less is the habit of any machine, and nobody would have asked.
LEAST_BY_CLOCK = 0.1
# Where a graphics card of NVIDIA's was asked.
OF_CARD = ("card_clock_mhz", "card_hot", "card_capped", "card_idle")


def step_verdict(seen: Observed, *, few: bool = False) -> Verdict:
    """Say what the step times of a stretch say, or those of a part of them that alone gets slower.

    Args:
        seen: The stretch.
        few: Whether steps too few for that may be called slower by their order alone.

    Raises:
        LabkitError: If a recorded step time is not a finite number above zero.
    """
    verdict = _verdict(seen)
    if verdict.label == "too_short" and verdict.reason == "few_steps":
        by_order = few_verdict(seen.judged) if few and len(seen.judged.steps) else verdict
        return by_order if by_order.slower else verdict
    machine = recorded_machine(seen.judged)
    seconds = np.asarray(seen.judged.steps.seconds)
    own = seconds if machine is None else contention(seconds, machine).likely
    part = growing_part(own, judged_places(seen))
    if part is None:
        return verdict
    of_it = _verdict(of_part(seen, part))
    return replace(of_it, part=part) if of_it.slower else verdict


def _verdict(seen: Observed) -> Verdict:
    """Say what the judged steps say.

    Raises:
        LabkitError: If a recorded step time is not a finite number above zero.
    """
    run = seen.judged
    seconds = run.steps.seconds
    if not seconds:  # a run that has only just begun has nothing to judge; no error of anybody's
        return too_short(0)
    machine = recorded_machine(run)
    if machine is None:
        return judge(seconds)
    verdict = judge_adjusted(seconds, machine)
    if not verdict.slower or seen.evidence.work:
        return verdict
    measured = [part for part in place_seconds(run).values() if np.isfinite(part).all()]
    return without_common_growth(verdict, np.asarray(seconds), measured)


def few_verdict(run: Run) -> Verdict:
    """Say whether a few steps rise, as they were and at the pace of the canary beside them.

    A machine that slows down from minute to minute makes an order, too.

    Args:
        run: Without its sampled steps, and with one at least.
    """
    own, machine = own_seconds(run), recorded_machine(run)
    said = judge_few(own)
    if machine is None or not said.slower:
        return said
    canary = machine.canary_seconds
    if not (np.isfinite(canary) & (canary > 0)).all():
        return said
    paced = judge_few(own / canary * np.median(canary))
    return paced if not paced.slower or (paced.growth or 0) < (said.growth or 0) else said


def own_seconds(run: Run) -> Numbers:
    """Return the times without what other programs surely took, where that is counted."""
    seconds = np.asarray(run.steps.seconds)
    machine = recorded_machine(run)
    if machine is None:
        return seconds
    own = contention(seconds, machine).longest
    return np.where(own > 0, own, seconds)


def slower_by_clock_only(run: Run, verdict: Verdict) -> bool:
    """Tell whether steps got slower by the clock, and not once corrected for the machine.

    Args:
        run: Without its sampled steps.
        verdict: What was said of its steps, corrected for what the machine did to them.
    """
    if verdict.slower or not verdict.disturbed:
        return False
    by_clock = judge(run.steps.seconds)
    return by_clock.slower and (by_clock.growth or 0.0) >= LEAST_BY_CLOCK


def recorded_machine(run: Run) -> Machine | None:
    """Return what was recorded of the machine; None where a run lacks any of it."""
    if not set(RECORDED) <= set(run.steps.names):
        return None
    nowhere = np.full(len(run.steps), np.nan)
    start, processor, canary, others, idle, queue, thread, pool_queue = (
        np.asarray(run.steps.column(name)) if name in run.steps.names else nowhere
        for name in (*RECORDED, *COUNTED_BY_SOME)
    )
    cores = run.environment.get("cores")
    usable = cores if isinstance(cores, int) and cores > 0 else 1
    card = None
    if set(OF_CARD) <= set(run.steps.names):
        card = Card(*(np.asarray(run.steps.column(name)) for name in OF_CARD))
    return Machine(start, processor, canary, others, idle, queue, thread, pool_queue, usable, card)
