"""What a script did that no step shows: trainings of a loop that labkit does not see, and children.

Such a loop is that of code run by `exec`, or of a trainer in an installed package: within a row of
a loop that is seen, or in none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.diagnosis.script.loops import FEW_TURNS, TRAININGS_TO_TELL, StepLoop
from labkit.record import Run
from labkit.record.loop import (
    CHILDREN_SECONDS,
    TENSORFLOW_CHILDREN_SECONDS,
    TRAININGS,
    UNSEEN_CHANGES,
    UNSEEN_SECONDS,
    UNSEEN_TRAININGS,
)

# The last batch of an epoch may be short, or left out.
AS_MANY = 1.25


@dataclass(frozen=True)
class Unseen:
    """What a script trained where no step shows it.

    Args:
        times: In how many calls that surely train.
        changes: How many calls, in no row, changed weights without a gradient or an optimizer: they
            count only where they took long, as trainings do and little else does.
        seconds: How long both took, and the rows that the first were in.
    """

    times: int
    changes: int
    seconds: float


def trained_unseen(run: Run, loops: Iterable[StepLoop]) -> Unseen:
    """Return how often a script trained where no step shows it, and for how long.

    A row with as many trainings as a step has no parts holds a loop of its own. Where many steps
    are such rows, each is a step as well, as whole trainings are. So it is where the others have as
    many within: of a fit of a few batches no rows are written once that is known.

    Args:
        run: Of a script.
        loops: Those whose turns are steps.

    Returns:
        The trainings in such rows together with those in no row at all.
    """
    trainings = _in_rows(run)
    hiding = trainings >= FEW_TURNS
    so_far = np.append(0, np.cumsum(hiding))
    trained_so_far = np.append(0, np.cumsum(trainings))
    unseen = hiding.copy()
    for each in loops:
        begins, ends = each.turns.begins, each.turns.ends
        hides = so_far[ends] > so_far[begins]
        if hides.sum() < TRAININGS_TO_TELL:
            within = trained_so_far[ends] - trained_so_far[begins]
            shown = within[~hides & (within > 0)]
            hides &= within <= (AS_MANY * np.median(shown) if shown.size else 0)
        for begin, end in zip(begins[hides], ends[hides], strict=True):
            unseen[begin:end] = False
    in_rows = float(np.asarray(run.steps.seconds)[unseen].sum())
    return Unseen(
        int(_last(run, UNSEEN_TRAININGS) + trainings[unseen].sum()),
        int(_last(run, UNSEEN_CHANGES)),
        _last(run, UNSEEN_SECONDS) + in_rows,
    )


def trained(run: Run) -> int:
    """Return how often a script trained in all."""
    return int(_last(run, UNSEEN_TRAININGS) + _in_rows(run).sum())


def seconds_of_children(run: Run) -> int:
    """Return the processor time of the processes that a script has started and waited for."""
    return int(_last(run, CHILDREN_SECONDS))


def seconds_of_tensorflow(run: Run) -> float:
    """Return the processor time of a script's children since TensorFlow began in each."""
    return _last(run, TENSORFLOW_CHILDREN_SECONDS)


def _in_rows(run: Run) -> NDArray[np.float64]:
    if not len(run.steps):
        return np.empty(0)
    return np.nan_to_num(np.asarray(run.steps.column(TRAININGS.name), np.float64))


def _last(run: Run, name: str) -> float:
    return sum(value for _, value in run.evidence.get(name, ())[-1:])
