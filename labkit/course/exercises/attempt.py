"""Exercises in a notebook: the repair stands in a cell, runs in a fresh process, and is judged."""

from __future__ import annotations

import difflib
import time
from dataclasses import replace
from pathlib import Path

from labkit.bench.temporary import TemporaryFolder
from labkit.cause import names_defined
from labkit.cause.loop_file import MAKE_STEP
from labkit.cause.results import WRAPPER, prepare_results, read_results
from labkit.course.cells import TITLE, in_one_sentence, retold, write_cell
from labkit.course.exercises.demand import NO_LONGER, Measured
from labkit.course.exercises.exercise import Exercise, load_exercise
from labkit.course.exercises.outcome import (
    Outcome,
    is_untouched,
    judge_attempt,
    judge_unfinished,
)
from labkit.course.predictions.diary import Done
from labkit.course.predictions.predict import diary
from labkit.lab.kernel import bench
from labkit.lab.own_loop.diagnose import diagnose
from labkit.record import LabkitError

MAGIC = "exercise"
NOT_ATTEMPTED = "Not attempted yet: the loop is as it was. Change it, then run the cell again."
STOPPED = "Not judged: it was stopped after your loop had run; run the cell again."
# The broken loop's run by the exercise's name: it does the same each time, so it is run once. Only
# what did all its steps is kept, or one interrupt would spoil every later attempt.
_broken: dict[str, Measured] = {}


def attempt(name: str, code: str) -> Outcome:
    """Run a repair in a fresh process and judge what it did.

    Args:
        name: The exercise, e.g. ``"graph_growth.build_once"``.
        code: Python that defines ``make_step()``, as it stands in the cell.

    Raises:
        ChoiceError: If there is no such exercise.
        LabkitError: If the code is not Python or defines no ``make_step``.
    """
    exercise = load_exercise(name)
    if is_untouched(exercise, code):
        return Outcome(exercise, "not_attempted", NOT_ATTEMPTED)
    measured = _measure(code, exercise.steps, exercise.title)
    unfinished = judge_unfinished(exercise, measured.run)
    if unfinished is not None:
        return unfinished  # nothing to hold against the broken loop, so that is not run
    if bench().sessions[-1].stop_asked:  # by an interrupt that came as it ended by itself
        return Outcome(exercise, "not_judged", STOPPED)
    earlier = _broken.get(name)
    broken = earlier or _measure_broken(exercise)
    outcome = judge_attempt(exercise, broken, measured)
    if [each.words for each in outcome.demands if not each.met] == [NO_LONGER]:
        # A loop that grows does so each time; a machine that slows down by half, seldom.
        again = _measure(code, exercise.steps, exercise.title)
        if judge_unfinished(exercise, again.run) is None:
            measured, outcome = again, judge_attempt(exercise, broken, again)
    if outcome.name != "not_judged":
        _broken[name] = broken
    if outcome.name == "right" and exercise.time_share is not None and earlier is not None:
        # The machine may have been busy then, and any repair would look quick beside that.
        outcome = judge_attempt(exercise, _measure_broken(exercise), measured)
    return outcome


def _measure_broken(exercise: Exercise) -> Measured:
    return _measure(exercise.stub, exercise.broken_steps, "the loop as it was")


def _measure(code: str, steps: int, title: str) -> Measured:
    with TemporaryFolder("exercise") as folder:
        cell = write_cell(folder, code)
        if MAKE_STEP not in names_defined(cell):
            raise LabkitError(
                f"{TITLE} defines no make_step(); it must return the function that does one step, "
                "as the loop you were given does."
            )
        loop, kept = Path(folder) / "attempt.py", Path(folder) / "results"
        prepare_results(kept)
        loop.write_text(WRAPPER.format(attempt=str(cell), results=str(kept)), encoding="utf-8")
        said = retold(diagnose(loop, steps=steps, title=title), cell)
        return Measured(said.run, said.diagnosis, read_results(kept))


def run_cell(line: str, cell: str) -> Outcome:
    """Judge the repair in a cell that begins with ``%%exercise NAME``, and note what came of it.

    Raises:
        UsageError: If there is no such exercise, or the cell defines no ``make_step``; IPython
            shows it as one sentence, without a traceback.
    """
    with in_one_sentence():
        name = line.strip()
        outcome = attempt(name, cell)
    if outcome.name in ("right", "wrong", "crashed"):
        kept_in = diary()
        kept_in.note(Done("exercise", name, outcome.name == "right"), time.time())
        outcome = replace(outcome, warning=kept_in.warning)
    return outcome


def hint(name: str, number: int = 1) -> None:
    """Print a hint; the next one says a little more.

    Args:
        name: The exercise.
        number: Which hint, counted from 1.

    Raises:
        ChoiceError: If there is no such exercise.
        LabkitError: If there is no such hint.
    """
    hints = load_exercise(name).hints
    if number not in range(1, len(hints) + 1):
        raise LabkitError(
            f"There is no hint {number} for {name}; there are {len(hints)}. "
            f"For the answer:  lk.solution({name!r})"
        )
    print(f"Hint {number} of {len(hints)}: {hints[number - 1]}")
    after = f"lk.hint({name!r}, {number + 1})" if number < len(hints) else f"lk.solution({name!r})"
    print(f"Still stuck?  {after}")


def solution(name: str) -> None:
    """Print what a solution changes in the loop, line by line.

    Raises:
        ChoiceError: If there is no such exercise.
    """
    exercise = load_exercise(name)
    lines = difflib.ndiff(exercise.stub.splitlines(), exercise.solution.splitlines())
    print("One solution; there are others. Lines with + are new, lines with - are gone.\n")
    print("\n".join(line for line in lines if not line.startswith("?")))
