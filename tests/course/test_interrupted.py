"""Runs of exercises and mysteries that do not come to their end: nothing is judged or kept by them.

Tier: make test, in turn.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import labkit as lk
from labkit.bench.session.session import Session
from labkit.course.exercises import attempt as exercise_module
from labkit.course.exercises.attempt import attempt
from labkit.course.exercises.exercise import load_exercise
from labkit.course.mystery.game import PRICES
from labkit.course.mystery.mystery import MysteryLoop
from labkit.record import ChoiceError

pytestmark = pytest.mark.in_turn

EXERCISE = load_exercise("input.one_iterator")
# Only three batches again and again, so the fourth step returns something else.
WRONG = EXERCISE.solution.replace("batch(20))", "batch(20).take(3).cache().repeat())")


@pytest.fixture(autouse=True)
def nothing_is_known_of_the_broken_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exercise_module, "_broken", {})


@pytest.fixture
def started() -> Callable[[], list[Session]]:
    """Tells the runs that were started in this test."""
    before = lk.runs()
    return lambda: [each for each in lk.runs() if each not in before]


def interrupt_in(started: Callable[[], list[Session]], run: int) -> None:
    """Press interrupt once, when a run of this test has done its first step; 0 is the first run."""

    def press() -> None:
        while len(started()) <= run or started()[run].count < 1:
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()


def test_an_interrupt_just_as_the_repair_has_run_begins_no_other_run(
    started: Callable[[], list[Session]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen: the cell went on for nine seconds, as if nobody had pressed Stop."""
    measure = exercise_module._measure

    def interrupted(*what: object) -> object:
        found = measure(*what)  # type: ignore[arg-type]
        started()[-1].stop()
        return found

    monkeypatch.setattr(exercise_module, "_measure", interrupted)
    outcome = attempt(EXERCISE.name, EXERCISE.solution)
    assert outcome.name == "not_judged" and len(started()) == 1


def test_an_interrupt_in_the_loop_as_it_was_judges_nothing_and_is_forgotten(
    started: Callable[[], list[Session]],
) -> None:
    interrupt_in(started, 1)
    said = attempt(EXERCISE.name, EXERCISE.solution)
    assert [each.state.name for each in started()] == ["done", "stopped"]
    assert said.name == "not_judged" and said.demands == ()
    assert "the loop as it was did only" in said.sentence and "of 40 steps" in said.sentence
    said = attempt(EXERCISE.name, WRONG)
    missed = [each.measured for each in said.demands if not each.met]
    assert said.name == "wrong" and any("step 3 returned" in each for each in missed), str(said)


def test_an_interrupt_in_the_attempt_starts_no_second_run(
    started: Callable[[], list[Session]],
) -> None:
    interrupt_in(started, 0)
    said = attempt(EXERCISE.name, EXERCISE.solution)
    assert [each.state.name for each in started()] == ["stopped"]
    assert said.name == "not_judged" and "of 100 steps were done when" in said.sentence


def test_a_loop_as_it_was_that_was_killed_is_forgotten_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the system does it where memory runs out."""
    again = tmp_path / "again"
    killed = (
        "import os, pathlib\n"
        f"again = pathlib.Path({str(again)!r})\n"
        "if not again.exists():\n"
        "    again.touch()\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    made = replace(EXERCISE, stub=f"{EXERCISE.stub}\n{killed}")
    monkeypatch.setattr(exercise_module, "load_exercise", lambda _name: made)
    said = attempt(EXERCISE.name, EXERCISE.solution)
    assert said.name == "not_judged" and "SIGKILL" in said.sentence, str(said)
    said = attempt(EXERCISE.name, EXERCISE.solution)
    assert said.name == "right", str(said)


def test_a_mystery_that_was_interrupted_costs_nothing_and_is_run_again(
    started: Callable[[], list[Session]], capsys: pytest.CaptureFixture[str]
) -> None:
    loop = MysteryLoop(8)
    interrupt_in(started, 0)
    loop.look("verdict", "diagnosis")
    told = capsys.readouterr().out
    assert [each.state.name for each in started()] == ["stopped"]
    assert told.startswith("The run did not come to its end (Stopped ") and loop.game.spent == 0
    loop.curve()
    assert len(started()) == 2 and started()[1].state.completed
    loop.look("verdict")
    assert len(started()) == 2 and loop.game.spent == PRICES["verdict"]


def test_what_is_no_evidence_is_refused_before_anything_is_run_or_paid_for(
    started: Callable[[], list[Session]],
) -> None:
    loop = MysteryLoop(8)
    with pytest.raises(ChoiceError, match="ledger"):
        loop.look("verdict", "truth")
    assert started() == [] and loop.game.spent == 0
