"""Predictions: what may be answered, what is right, what the diary keeps. Tier: make test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from labkit.course import Calibration, Diary, Guess, Prediction, calibration
from labkit.course.diary import FILE
from labkit.record import ChoiceError, LabkitError

SHAPE = Prediction("lab.shape", "Which shape?", ("flat", "ramp", "cliff"))
FACTOR = Prediction("lab.factor", "How many times as long?", unit="times", within=1.5)


def guess(answer: str | float, sure: int = 70, name: str = "lab.shape") -> Guess:
    return Guess(name, answer, sure, 0.0)


@pytest.mark.parametrize(("answer", "right"), [("ramp", True), ("cliff", True), ("flat", False)])
def test_a_choice_is_right_if_the_measurement_bears_it_out(answer: str, right: bool) -> None:
    assert SHAPE.right(SHAPE.read(answer), ("ramp", "cliff")) is right


@pytest.mark.parametrize(
    ("answer", "right"), [("3", True), (4.4, True), (2.1, True), (4.6, False), ("1.9", False)]
)
def test_a_number_is_right_within_its_factor_up_and_down(answer: str | float, right: bool) -> None:
    assert FACTOR.right(FACTOR.read(answer), 3.0) is right


@pytest.mark.parametrize("answer", ["stairs", "", None, 3])
def test_what_is_no_choice_is_refused_with_the_choices(answer: object) -> None:
    with pytest.raises(ChoiceError, match="flat, ramp, cliff"):
        SHAPE.read(answer)


@pytest.mark.parametrize("answer", ["much", "", None, 0, -2, "nan", "inf"])
def test_what_is_no_number_above_zero_is_refused(answer: object) -> None:
    with pytest.raises(LabkitError, match="a number above zero"):
        FACTOR.read(answer)


@pytest.mark.parametrize("truth", [float("nan"), 0.0, -1.0])
def test_a_measurement_that_is_no_ratio_makes_nothing_right(truth: float) -> None:
    assert not FACTOR.right(3.0, truth)


def test_what_is_said_is_scored_by_what_is_measured_and_kept_in_the_folder(tmp_path: Path) -> None:
    Diary(tmp_path).guess(guess("ramp"))
    scored = Diary(tmp_path).score(SHAPE, ("ramp", "cliff"), 1.0)
    assert scored is not None and scored.right and scored.truth == "ramp or cliff"
    assert Diary(tmp_path).guessed() == (scored,)


def test_until_it_is_scored_the_latest_answer_counts(tmp_path: Path) -> None:
    diary = Diary(tmp_path)
    diary.guess(guess("flat", 50))
    diary.guess(guess("ramp", 90))
    scored = diary.score(SHAPE, "ramp", 1.0)
    assert scored is not None and scored.right and scored.guess.sure == 90


def test_a_cell_run_again_scores_nothing_twice(tmp_path: Path) -> None:
    diary = Diary(tmp_path)
    diary.guess(guess("flat"))
    first = diary.score(SHAPE, "ramp", 1.0)
    assert diary.score(SHAPE, "flat", 2.0) == first
    assert len(diary.guessed()) == 1


def test_without_a_prediction_nothing_is_scored_and_no_file_is_made(tmp_path: Path) -> None:
    assert Diary(tmp_path).score(SHAPE, "ramp", 1.0) is None
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize(
    "line", ["", "{", "7", "[]", '{"prediction": 3}', '{"prediction": "lab.shape"}', "\x00"]
)
def test_a_line_that_cannot_be_read_takes_no_other_with_it(tmp_path: Path, line: str) -> None:
    diary = Diary(tmp_path)
    diary.guess(guess("ramp"))
    with diary.file.open("a") as file:
        file.write(f"{line}\n")
    diary.score(SHAPE, "ramp", 1.0)
    assert [each.right for each in diary.guessed()] == [True]


def test_half_a_line_of_a_disk_that_was_full_takes_no_other_with_it(tmp_path: Path) -> None:
    diary = Diary(tmp_path)
    with diary.file.open("w") as file:
        file.write('{"prediction": "lab.sh')
    diary.guess(guess("ramp"))
    assert diary.score(SHAPE, "ramp", 1.0) is not None


def test_a_file_of_other_bytes_is_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xff\xfe\xff")
    assert Diary(tmp_path).guessed() == ()


def test_where_nothing_can_be_written_the_answer_is_kept_for_now(tmp_path: Path) -> None:
    diary = Diary(tmp_path / "missing")
    diary.guess(guess("ramp"))
    assert not diary.kept
    assert diary.score(SHAPE, "ramp", 1.0) is not None
    assert len(diary.guessed()) == 1


def test_the_diary_is_plain_json_a_line_each(tmp_path: Path) -> None:
    diary = Diary(tmp_path)
    diary.guess(guess(2.5, name="lab.factor"))
    (line,) = filter(None, diary.file.read_text().splitlines())
    assert json.loads(line) == {
        "prediction": "lab.factor", "answer": 2.5, "sure": 70, "at_seconds": 0.0,
    }  # fmt: skip


def scored(tmp_path: Path, *said: tuple[str, int, bool]) -> Calibration:
    diary = Diary(tmp_path)
    for name, sure, right in said:
        diary.guess(guess("ramp", sure, name))
        asked = Prediction(name, "?", SHAPE.choices)
        diary.score(asked, "ramp" if right else "flat", 0.0)
    return calibration(diary.guessed())


def test_who_is_right_as_often_as_sure_has_no_gap(tmp_path: Path) -> None:
    said = [(f"lab.{place}", 70, place < 7) for place in range(10)]
    found = scored(tmp_path, *said)
    assert found.surer_than_right == pytest.approx(0.0)
    assert found.brier == pytest.approx(0.7 * 0.09 + 0.3 * 0.49)
    assert [(level.sure, level.said, level.right) for level in found.levels] == [(70, 10, 7)]


def test_who_is_surer_than_right_is_told_by_how_much(tmp_path: Path) -> None:
    found = scored(tmp_path, ("a.a", 90, False), ("a.b", 90, True), ("a.c", 50, False))
    assert found.surer_than_right == pytest.approx((0.9 + 0.9 + 0.5 - 1) / 3)
    assert [(level.sure, level.said) for level in found.levels] == [(50, 1), (90, 2)]


def test_a_question_counts_once_the_first_time(tmp_path: Path) -> None:
    found = scored(tmp_path, ("a.a", 90, False), ("a.a", 90, True))
    assert [each.right for each in found.guessed] == [False]


def test_without_predictions_there_is_no_score(tmp_path: Path) -> None:
    found = scored(tmp_path)
    assert found.brier is None and found.levels == () and found.surer_than_right == 0.0
