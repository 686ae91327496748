"""An attempt at an exercise: not judged, crashed, wrong or right, and what was measured."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from labkit.course.exercises.demand import Demand, Measured, demands, gain
from labkit.course.exercises.exercise import Exercise
from labkit.record import Run
from labkit.show import words
from labkit.show.markup import element, table
from labkit.show.page import Shown, view

if TYPE_CHECKING:
    from labkit.show.charts.picture import Picture

TITLES = ("demand", "outcome", "measured")
OutcomeName = Literal["not_attempted", "not_judged", "crashed", "wrong", "right"]


@dataclass(frozen=True)
class Outcome(Shown):
    """What came of an attempt; a notebook shows it by itself.

    Args:
        exercise: What was attempted.
        name: One of the five; ``not_judged`` where a run it takes did not come to its end.
        sentence: What came of it, in one sentence.
        demands: What was demanded and what was measured; empty unless the loop ran to its end.
        traceback: Python's, where the loop crashed.
        runs: Of a repair that is right: the loop as it was, and repaired, to be drawn.
        warning: What a learner must know where the outcome could not be kept.
    """

    exercise: Exercise
    name: OutcomeName
    sentence: str
    demands: tuple[Demand, ...] = ()
    traceback: str = ""
    runs: tuple[Run, ...] = ()
    warning: str = ""

    @cached_property
    def picture(self) -> Picture | None:
        """The curve before and after; None where nothing was repaired."""
        if not self.runs:
            return None
        from labkit.show.charts.figure import draw_runs
        from labkit.show.charts.picture import CAUSE_OFF, CAUSE_ON

        return draw_runs(
            [replace(run, title=self.exercise.title) for run in self.runs],
            lanes=self._lanes(), headline=self.sentence.partition(";")[0].rstrip("."),
            names=("as it was", "repaired"), colours=(CAUSE_ON, CAUSE_OFF), captions=False,
        )  # fmt: skip

    def _lanes(self) -> tuple[str, ...]:
        """Return the counter that decides, to be seen under the curve."""
        if self.exercise.rests or self.exercise.memory_bytes is None:
            return self.exercise.rests[:1]
        return ("resident_bytes",)

    def lines(self) -> list[str]:
        """Return the outcome, a line each."""
        said = [self.sentence]
        for each in self.demands:
            said.append(f"  {_mark(each.met):8} {each.words}: {each.measured}")
        if self.traceback:
            said += ["", words.traceback(self.traceback)]
        if self.name != "right":
            said.append(f"For a hint:  lk.hint({self.exercise.name!r})")
        if self.warning:
            said.append(f"This is {self.warning}.")
        return said

    def html(self) -> str:
        """Return outcome and demands as a piece of a page."""
        parts = [element("p", element("strong", self.sentence))]
        if self.demands:
            rows = [(each.words, _mark(each.met), each.measured) for each in self.demands]
            parts.append(table("What was demanded and what was measured", TITLES, rows, prose=True))
        if self.picture is not None:
            parts.append(self.picture.as_html())
        if self.traceback:
            parts.append(element("pre", words.traceback(self.traceback)))
        if self.name != "right":
            hint = element("code", f"lk.hint({self.exercise.name!r})")
            parts.append(element("p", "For a hint: ", hint))
        if self.warning:
            parts.append(element("p", f"This is {self.warning}."))
        return view(*parts)


def _mark(met: bool) -> str:
    return "met" if met else "NOT MET"


def is_untouched(exercise: Exercise, code: str) -> bool:
    """Tell whether code is the exercise's stub, comments and blank lines aside."""
    try:
        return ast.dump(ast.parse(code)) == ast.dump(ast.parse(exercise.stub))
    except (SyntaxError, ValueError):
        return False


def judge_unfinished(exercise: Exercise, attempt: Run) -> Outcome | None:
    """Judge an attempt that did not do all its steps; None where it did them.

    Args:
        exercise: What is demanded.
        attempt: The run of the attempt.
    """
    state = attempt.state
    done = f"{len(attempt.steps)} of {exercise.steps} steps were done"
    if state.name == "stopped":
        told = f"Not judged: {done} when the run was stopped; run the cell again."
        return Outcome(exercise, "not_judged", told)
    if not state.completed:
        reason = f"Crashed: {state.reason}"
        return Outcome(exercise, "crashed", reason, traceback=state.traceback)
    if len(attempt.steps) < exercise.steps:
        reason = state.reason or "the run ended early"
        return Outcome(exercise, "wrong", f"Not yet: {done} ({reason})")
    return None


def judge_attempt(exercise: Exercise, broken: Measured, attempt: Measured) -> Outcome:
    """Judge an attempt that did all its steps by what it did.

    Args:
        exercise: What is demanded.
        broken: The untouched loop, run for the first steps; where it did not do all of these, the
            attempt is not judged.
        attempt: The attempt, run for all of them.
    """
    state = broken.run.state
    if not state.completed or len(broken.run.steps) < exercise.broken_steps:
        done = f"{len(broken.run.steps)} of {exercise.broken_steps} steps"
        told = (
            f"Not judged: the loop as it was did only {done} ({state.reason.rstrip('.')}), and a "
            "repair is held against all of them; run the cell again."
        )
        return Outcome(exercise, "not_judged", told, traceback=state.traceback)
    said = tuple(demands(exercise, broken, attempt))
    missed = [each for each in said if not each.met]
    if missed:
        count = "One demand is" if len(missed) == 1 else f"{len(missed)} demands are"
        return Outcome(exercise, "wrong", f"Not yet. {count} not met.", said)
    return Outcome(exercise, "right", f"Right: repaired, {gain(exercise, broken, attempt)}.", said,
                   runs=(broken.run, attempt.run))  # fmt: skip
