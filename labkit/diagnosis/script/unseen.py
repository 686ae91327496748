"""Trainings that no step shows: of a loop that labkit does not see, within a row of one it does.

Such as code that is run by `exec`, or a trainer of an installed package, called once an epoch.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from labkit.diagnosis.script.loops import FEW_TURNS, TRAININGS_TO_TELL, StepLoop
from labkit.record import Run
from labkit.record.loop import TRAININGS, UNSEEN_TRAININGS


def trained_unseen(run: Run, loops: Iterable[StepLoop]) -> int:
    """Return how often a script trained where no step shows it.

    A row with as many trainings as a step has no parts holds a loop of its own. Where many steps
    are such rows, each is a step as well, as whole trainings are.

    Args:
        run: Of a script.
        loops: Those whose turns are steps.

    Returns:
        The trainings in such rows, and those in no row at all.
    """
    in_no_row = sum(value for _, value in run.evidence.get(UNSEEN_TRAININGS, ())[-1:])
    if not len(run.steps):
        return int(in_no_row)
    trainings = np.nan_to_num(run.steps.column(TRAININGS.name))
    hiding = trainings >= FEW_TURNS
    so_far = np.append(0, np.cumsum(hiding))
    unseen = hiding.copy()
    for each in loops:
        begins, ends = each.turns.begins, each.turns.ends
        hides = so_far[ends] > so_far[begins]
        if int(hides.sum()) >= TRAININGS_TO_TELL:
            for begin, end in zip(begins[hides], ends[hides], strict=True):
                unseen[begin:end] = False
    return int(in_no_row + trainings[unseen].sum())
