"""An attempt at an exercise: not attempted, crashed, wrong or right, and what was measured."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal

from labkit.course.exercises.demand import Demand, Measured, demands
from labkit.course.exercises.exercise import Exercise

OutcomeName = Literal["not_attempted", "crashed", "wrong", "right"]


@dataclass(frozen=True)
class Outcome:
    """What came of an attempt.

    Args:
        name: One of the four.
        sentence: What came of it, in one sentence.
        demands: What was demanded and what was measured; empty unless the loop ran to its end.
        traceback: Python's, where the loop crashed.
    """

    name: OutcomeName
    sentence: str
    demands: tuple[Demand, ...] = ()
    traceback: str = ""


def is_untouched(exercise: Exercise, code: str) -> bool:
    """Tell whether code is the exercise's stub, comments and blank lines aside."""
    try:
        return ast.dump(ast.parse(code)) == ast.dump(ast.parse(exercise.stub))
    except (SyntaxError, ValueError):
        return False


NOT_ATTEMPTED = Outcome(
    "not_attempted", "Not attempted yet: the loop is as it was. Change it, then run the cell again."
)


def judge_attempt(exercise: Exercise, broken: Measured, attempt: Measured) -> Outcome:
    """Judge an attempt by what it did.

    Args:
        exercise: What is demanded.
        broken: The untouched loop, run for the first steps.
        attempt: The attempt, run for all of them.
    """
    state = attempt.run.state
    if not state.completed:
        return Outcome("crashed", f"Crashed: {state.reason}", traceback=state.traceback)
    if len(attempt.run.steps) < exercise.steps:
        reason = state.reason or "the run ended early"
        return Outcome(
            "wrong",
            f"Not yet: {len(attempt.run.steps)} of {exercise.steps} steps were done ({reason})",
        )
    said = tuple(demands(exercise, broken, attempt))
    missed = [each for each in said if not each.met]
    if missed:
        count = "One demand is" if len(missed) == 1 else f"{len(missed)} demands are"
        return Outcome("wrong", f"Not yet. {count} not met.", said)
    return Outcome("right", "Right: the loop does what it did before, and is repaired.", said)
