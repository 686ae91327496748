"""A curve that was drawn is kept with its prediction, and nothing else passes for one.

Tier: make quick.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import labkit as lk
from labkit.course.lesson import LESSONS, load_lesson
from labkit.course.predictions.diary import FILE, Diary, Guess
from labkit.course.predictions.predict import Predictions
from labkit.course.predictions.prediction import MOST_DRAWN, drawn_curve
from tests.show.asked import ASKED, DRAWN

CURVE = (1.0, 1.5, 2.25)


def test_a_curve_is_kept_as_multiples_of_its_beginning() -> None:
    assert drawn_curve([2, 3.0, 4.5]) == drawn_curve((4, 6, 9)) == CURVE


def test_a_curve_that_falls_as_far_as_one_may_is_kept_and_read_again() -> None:
    falling = drawn_curve([5e3, 0.6])
    assert falling[1] > 0 and drawn_curve(list(falling)) == falling


@pytest.mark.parametrize(
    "value",
    [
        None, "ramp", 3, {}, [], [1.0], [1.0] * (MOST_DRAWN + 1), [1.0, 0.0], [1.0, -2.0],
        [1.0, float("nan")], [1.0, float("inf")], [1, 10**400], [1e-300, 1e5], [5e-324, 1e308],
        [1.0, "2"], [True, 2.0], [1.0, None],
    ],
)  # fmt: skip
def test_what_is_no_curve_is_none(value: object) -> None:
    assert drawn_curve(value) == ()


def test_it_lies_in_the_diary_and_is_found_by_who_asks_again(tmp_path: Path) -> None:
    form = Predictions(DRAWN, Diary(tmp_path))
    assert form.drawn == ()
    form.answer(0, "ramp", 70, drawn=[2, 3, 4.5])
    form.answer(1, 2.25, 50, drawn=[9, 9, 9])  # a number has no curve
    assert form.drawn == Predictions(DRAWN, Diary(tmp_path)).drawn == CURVE
    told = form.told(0), form.told(1)
    assert [each.drawn for each in told if each] == [CURVE, ()]
    form.answer(0, "flat", 70)  # said anew, and not drawn
    assert form.drawn == ()


def test_the_last_of_several_curves_is_the_one_that_a_panel_draws(tmp_path: Path) -> None:
    form = Predictions((DRAWN[0], DRAWN[0].__class__("lab.later", "?", DRAWN[0].choices)),
                       Diary(tmp_path))  # fmt: skip
    form.answer(0, "ramp", 70, drawn=[1, 2])
    assert form.drawn == (1.0, 2.0)
    form.answer(1, "ramp", 70, drawn=[1, 3])
    assert form.drawn == (1.0, 3.0)


def test_a_line_of_somebody_s_making_is_a_prediction_without_a_curve(tmp_path: Path) -> None:
    entry = {"prediction": "lab.shape", "answer": "ramp", "sure": 70, "at_seconds": 1.0}
    (tmp_path / FILE).write_text(json.dumps({**entry, "drawn": ["<script>", 1]}) + "\n")
    assert Diary(tmp_path).latest("lab.shape") == Guess("lab.shape", "ramp", 70, 1.0)


def test_other_predictions_are_not_drawn(tmp_path: Path) -> None:
    form = Predictions(ASKED, Diary(tmp_path))
    form.answer(0, "ramp", 70, drawn=[1, 2])
    assert form.drawn == () and not any(field.shape for field in form.fields)


def test_where_a_lesson_asks_how_far_the_curve_rises_it_asks_for_the_curve_before() -> None:
    for name in LESSONS:
        asked = load_lesson(name).predictions
        rising = [at for at, each in enumerate(asked) if each.is_of_shape]
        if name != "two_workers":  # asks for two levels
            assert all(any(each.is_shape for each in asked[:at]) for at in rising), name


def test_a_lab_takes_what_was_predicted() -> None:
    form = lk.predict("graph_growth.shape")
    assert lk.Lab("graph_growth", guess=form) is not None
