"""What a class has drawn before its runs lies under them. Tier: make quick."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from labkit.course.classroom.classroom import classroom
from labkit.course.classroom.guesses import guessed_curves, how_right
from labkit.course.predictions.diary import FILE, Diary, Guess
from tests.course.test_classroom import folder_of, made


def drew(folder: Path, end: float, learner: str, name: str = "graph_growth.shape") -> None:
    diary = Diary(folder, FILE.replace(".jsonl", f"-{learner}.jsonl"))
    diary.guess(Guess(name, "ramp", 70, 0.0, (1.0, end)))


def test_the_guesses_of_a_class_are_drawn_and_counted(tmp_path: Path) -> None:
    folder_of(tmp_path, made(2), made(5), made(8))
    plain = classroom(tmp_path)
    for learner, end in (("ada", 3.2), ("grace", 20.0), ("alan", 1.0)):
        drew(tmp_path, end, learner)
    shown = classroom(tmp_path)
    assert not shown.passed_over, "a diary is no run that could not be read"
    assert shown.sentences() == [
        *plain.sentences(), "3 guesses were drawn (dotted); 1 within 30 % of the median run's end."
    ]  # fmt: skip
    assert sorted(shown.guesses) == [(1.0, 1.0), (1.0, 3.2), (1.0, 20.0)]
    assert shown.picture.svg != plain.picture.svg
    assert shown.picture.alt.endswith("of the median run's end.")


def test_of_each_diary_the_last_curve_of_this_cause_counts(tmp_path: Path) -> None:
    drew(tmp_path, 9.0, "ada")
    drew(tmp_path, 2.0, "ada")
    drew(tmp_path, 5.0, "ada", "open_tape.shape")
    assert guessed_curves([tmp_path], "graph_growth") == ((1.0, 2.0),)
    assert guessed_curves([tmp_path], "open_tape") == ((1.0, 5.0),)
    assert guessed_curves([tmp_path], "healthy") == guessed_curves([tmp_path], "own_loop") == ()


@pytest.mark.parametrize("text", ["", "nonsense\n", json.dumps([1]) + "\n", "\x00" * 50])
def test_what_is_no_diary_costs_the_others_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    folder_of(tmp_path, made(2))
    drew(tmp_path, 3.0, "ada")
    assert len(classroom(tmp_path).guesses) == 1


def test_one_guess_that_is_no_curve_costs_a_class_nothing(tmp_path: Path) -> None:
    """Seen: a number of 400 digits in one learner's diary, and no chart for anybody."""
    folder_of(tmp_path, made(2))
    drew(tmp_path, 3.0, "ada")
    line = {"prediction": "graph_growth.shape", "answer": "ramp", "sure": 70, "at_seconds": 1}
    eve = tmp_path / FILE.replace(".jsonl", "-eve.jsonl")
    eve.write_text(json.dumps({**line, "drawn": [1, 10**400]}) + "\n")
    assert classroom(tmp_path).guesses == ((1.0, 3.0),)


LINE = {"prediction": "graph_growth.shape", "answer": "ramp", "sure": 70, "at_seconds": 0.0}


@pytest.mark.parametrize("line", ["{}", json.dumps(LINE), json.dumps({**LINE, "sure": 71})])
def test_diaries_of_any_size_are_read_in_a_moment(tmp_path: Path, line: str) -> None:
    """Seen: three of 33 MB took half a minute, and two of nothing but ``{}`` minutes."""
    folder_of(tmp_path, made(2))
    drew(tmp_path, 3.0, "ada")
    for learner in ("eve", "mallory"):
        large = tmp_path / FILE.replace(".jsonl", f"-{learner}.jsonl")
        large.write_text(f"{line}\n" * (33_000_000 // (len(line) + 1)))
        drew(tmp_path, 2.0, learner)
    began = time.process_time()
    shown = classroom(tmp_path)
    assert time.process_time() - began < 3
    assert sorted(shown.guesses) == [(1.0, 2.0), (1.0, 2.0), (1.0, 3.0)]
    told = [each for each in shown.lines() if "skipped" in each]
    assert (
        len(told) == 2 and "predictions-eve.jsonl has 33 MB, and a diary has 1 at most" in told[0]
    )


def test_a_class_of_forty_has_all_its_guesses_and_hears_of_no_size(tmp_path: Path) -> None:
    folder_of(tmp_path, made(2))
    for learner in range(40):
        # The curves of a hundred runs, and others in between.
        for again in range(100):
            drew(tmp_path, 2.0 + again, f"{learner:02}")
            drew(tmp_path, 9.0, f"{learner:02}", "open_tape.shape")
    shown = classroom(tmp_path)
    assert shown.guesses == ((1.0, 101.0),) * 40 and not shown.passed_over


def test_of_more_diaries_than_a_picture_shows_it_is_said(tmp_path: Path) -> None:
    """Found: of 250 diaries 50 were left out without a word."""
    folder_of(tmp_path, made(2))
    for learner in range(203):
        drew(tmp_path, 2.0, f"{learner:03}")
    shown = classroom(tmp_path)
    assert len(shown.guesses) == 200
    assert "There are 203 diaries, and a picture shows 200" in "\n".join(shown.lines())


def test_a_name_within_another_answer_is_no_guess(tmp_path: Path) -> None:
    """As where a note, or another prediction's answer, quotes it."""
    drew(tmp_path, 2.0, "ada")
    other = {**LINE, "prediction": "other", "answer": "graph_growth.shape", "drawn": [1, 7]}
    with (tmp_path / FILE.replace(".jsonl", "-ada.jsonl")).open("a") as file:
        file.write(json.dumps(other) + "\n")
        file.write(json.dumps({"prediction": "graph_growth.shape", "truth": "x", "right": True}))
    assert guessed_curves([tmp_path], "graph_growth") == ((1.0, 2.0),)


def test_a_run_that_is_called_like_a_prediction_is_a_run(tmp_path: Path) -> None:
    folder_of(tmp_path, made(2), made(5))
    (one, *_) = sorted(tmp_path.glob("*.jsonl*"))
    one.rename(one.with_name(f"after-predictions-{one.name}"))
    assert len(classroom(tmp_path).members) == 2


def test_one_guess_is_told_as_one() -> None:
    assert how_right([(1.0, 2.0)], 2.5).startswith("1 guess was drawn (dotted); 1 within 30 %")
    assert "; 0 within" in how_right([(1.0, 2.0)], 3.0)
