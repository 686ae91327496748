"""What a live flip did is told in the words of its prediction, and scores it. Tier: make test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import labkit as lk
from labkit.course.lesson import LESSONS, load_lesson
from labkit.course.predictions import predict
from labkit.course.predictions.diary import Diary, Guess
from labkit.course.predictions.flip import FALLS, FLIPS, NOT_FLIPPED, RESTS, RISES, after_flip
from labkit.record import Event, Run
from tests.made_run import made_run

CLIMB = np.linspace(5e-3, 25e-3, 150)
AFTER = {
    FALLS: np.full(150, 6e-3),
    RESTS: np.full(150, 25e-3),
    RISES: np.linspace(25e-3, 45e-3, 150),
}


def run_of(*parts: np.ndarray) -> Run:
    noise = np.random.default_rng(3).normal(1, 0.01, sum(map(len, parts)))
    run = made_run(np.concatenate(parts) * noise, cause="graph_growth", toggles={"grow": True})
    at = np.cumsum([len(part) for part in parts])[:-1]
    flips = tuple(Event(int(step), "toggle", "grow off", {"name": "grow", "value": False})
                  for step in at)  # fmt: skip
    return replace(run, events=flips)


@pytest.mark.parametrize("told", FLIPS)
def test_each_thing_that_a_flip_can_do_is_told_with_both_levels(told: str) -> None:
    truth, words = after_flip(run_of(CLIMB, AFTER[told]))
    assert truth == told
    assert words.startswith(f"{told} (") and "before the flip" in words and "after it" in words


def test_of_several_flips_the_last_one_counts() -> None:
    assert after_flip(run_of(CLIMB, AFTER[RESTS], AFTER[FALLS]))[0] == FALLS


@pytest.mark.parametrize("parts", [(CLIMB,), (CLIMB, AFTER[FALLS][:12])])
def test_without_a_flip_or_steps_after_it_nothing_is_decided(parts: tuple[np.ndarray, ...]) -> None:
    assert after_flip(run_of(*parts)) == (None, NOT_FLIPPED)


def test_steps_that_vary_too_much_decide_only_whether_it_fell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("labkit.show.verdict.glance.undecided", lambda _verdict: True)
    truth, words = after_flip(run_of(CLIMB, AFTER[RESTS]))
    assert truth is None and "too uncertain to tell whether it goes on rising" in words
    assert after_flip(run_of(CLIMB, AFTER[FALLS]))[0] == FALLS


def test_a_prediction_of_a_flip_is_scored_by_the_panel_s_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    diary = Diary(tmp_path)
    monkeypatch.setattr(predict, "diary", lambda: diary)
    diary.guess(Guess("graph_growth.flip", RESTS, 90, 0.0))
    lk.reveal("graph_growth.flip", lk.Lab("graph_growth"))
    assert "Nothing was run in this panel yet" in capsys.readouterr().out and not diary.guessed()
    lk.reveal("graph_growth.flip", run_of(CLIMB, AFTER[FALLS]))
    assert "You said it stops rising, 90 % sure. Measured: it falls (" in capsys.readouterr().out
    assert [each.right for each in diary.guessed()] == [False]


def test_a_lesson_that_asks_for_a_flip_offers_what_a_flip_can_do() -> None:
    asked = [each for name in LESSONS for each in load_lesson(name).predictions
             if each.name.endswith(".flip")]  # fmt: skip
    assert len(asked) >= 3 and all(each.choices == FLIPS for each in asked)
