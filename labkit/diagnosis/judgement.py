"""The judgement of a run: a verdict for each stretch between two flips, and one ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from labkit.diagnosis.book import book
from labkit.diagnosis.evidence import evidence
from labkit.record import Judgement, Ledger, Run, Stretch, Verdict
from labkit.stats import Machine, judge_freed, too_short
from labkit.stats import judge as judge_seconds
from labkit.stats.parts import without_common_growth

Judge: TypeAlias = Callable[[Sequence[float]], Verdict]
RECORDED = ("start_seconds", "cpu_seconds", "canary_seconds", "others_seconds", "idle_seconds")


def judgement(run: Run, judge: Judge | None = None) -> Judgement:
    """Judge a run, finished or still going.

    Args:
        run: Cut into stretches where a toggle was flipped; each is judged alone, because the loop
            was another one before.
        judge: Turns step times into a verdict; by default labkit's own, which frees the steps of
            what the machine did to them where that was recorded.

    Returns:
        The verdicts, and the ledger of the first stretch that got slower. Steps in a verdict count
        from the start of its stretch.

    Raises:
        LabkitError: If a recorded step time is not a finite number above zero.
    """
    stretches = run.stretches()
    verdicts = [_verdict(run, stretch, judge) for stretch in stretches]
    slower = [place for place, verdict in enumerate(verdicts) if verdict.slower]
    ledger = book(run, stretches[slower[0]], verdicts[slower[0]]) if slower else Ledger()
    return Judgement(stretches, tuple(verdicts), ledger, provisional=not run.state.ended)


def _verdict(run: Run, stretch: Stretch, judge: Judge | None) -> Verdict:
    seconds = run.steps.seconds[stretch.start : stretch.end]
    if not seconds:  # a run that has only just begun has nothing to judge; no error of anybody's
        return too_short(0)
    machine = recorded_machine(run)
    if judge is not None or machine is None:
        return (judge or judge_seconds)(seconds)
    parts = _parts(run, stretch)
    verdict = judge_freed(seconds, machine.between(stretch.start, stretch.end), parts)
    if not verdict.slower or evidence(run).work:
        return verdict
    return without_common_growth(verdict, np.asarray(seconds), parts)


def _parts(run: Run, stretch: Stretch) -> list[NDArray[np.float64]]:
    """Return the seconds at each place that was measured in all steps of a stretch."""
    columns = [each.name for each in run.column_of_kind("place") if each.name in run.steps.names]
    parts = [np.asarray(run.steps.column(name))[stretch.start : stretch.end] for name in columns]
    return [part for part in parts if np.isfinite(part).all()]


def recorded_machine(run: Run) -> Machine | None:
    """Return what was recorded of the machine; None where a run lacks any of it."""
    if not set(RECORDED) <= set(run.steps.names):
        return None
    return Machine(*(np.asarray(run.steps.column(name)) for name in RECORDED))
