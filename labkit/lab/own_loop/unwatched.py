"""Unwatched: what a script trained where labkit sees no step, said in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from labkit.diagnosis.script.loops import StepLoop
from labkit.diagnosis.script.unseen import (
    seconds_of_children,
    seconds_of_tensorflow,
    trained,
    trained_unseen,
)
from labkit.record import Run, quantity

TRAINED_ELSEWHERE = (
    "The script trained {:,} time{} outside the loops that labkit sees, for {}, as by exec, in a "
    "thread or in an installed package."
)
FEWEST_UNSEEN = 50
# A child that imports TensorFlow takes as long before it trains.
CHILDREN_WORKED_SECONDS = 5
TRAINED_BY_CHILDREN = (
    "Processes that the script started worked for {} s, and labkit watches the script's own alone, "
    "which trained {}: if they train, diagnose the command of one, or the function that it calls, "
    "from a script of its own."
)
BESIDE = (
    "TensorFlow worked for {} s in processes that the script started, beside {} s in its own "
    "loops, and labkit watches the script's own alone: if they train, diagnose the command of one, "
    "or the function that it calls, from a script of its own."
)
# They are looked at each second, so that less may be what was left of the import.
TOLD_SECONDS = 2.0
# Of the processor time of the script's own loops. A gate is to know of most of the work that it
# does not double. What a child did before it was first looked at, and after the last time, is not
# in its seconds: with half as many as the script's own it may have had as many.
LARGE_SHARE = 0.5


@dataclass(frozen=True)
class Unwatched:
    """What was not watched.

    Args:
        sentence: What to say of it; empty where there is nothing.
        large: Whether it is so much that a gate must not pass.
    """

    sentence: str = ""
    large: bool = False


def unwatched(run: Run, loops: Sequence[StepLoop]) -> Unwatched:
    """Return what a script did where no step shows it, if that matters.

    Args:
        run: Of the whole script.
        loops: Those whose turns are steps.
    """
    unseen, often = trained_unseen(run, loops), trained(run)
    steps, of_children = sum(each.seconds for each in loops), seconds_of_children(run)
    of_tensorflow, own = seconds_of_tensorflow(run), _own_seconds(loops)
    # An epoch that is compiled whole is one training, and may take as long as a thousand.
    long = unseen.seconds >= TOLD_SECONDS and unseen.seconds >= LARGE_SHARE * own
    if unseen.times >= FEWEST_UNSEEN or long:
        every, took = unseen.times + unseen.changes, quantity.duration(unseen.seconds)
        return Unwatched(TRAINED_ELSEWHERE.format(every, "s" * (every != 1), took), large=True)
    if often < FEWEST_UNSEEN and of_children >= max(CHILDREN_WORKED_SECONDS, steps):
        times = f"{often:,} time{'s' * (often != 1)}" if often else "nothing"
        return Unwatched(TRAINED_BY_CHILDREN.format(of_children, times), large=True)
    if of_tensorflow >= TOLD_SECONDS:
        large = of_tensorflow >= LARGE_SHARE * own
        return Unwatched(BESIDE.format(f"{of_tensorflow:,.0f}", f"{own:,.0f}"), large=large)
    return Unwatched()


def _own_seconds(loops: Sequence[StepLoop]) -> float:
    """Return the processor time of the loop that took most; the others may be within it."""
    return max((_processor_seconds(each) for each in loops), default=0.0)


def _processor_seconds(loop: StepLoop) -> float:
    steps = loop.run.steps
    if "cpu_seconds" not in steps.names:
        return loop.seconds
    return float(np.nansum(np.asarray(steps.column("cpu_seconds"), np.float64)))
