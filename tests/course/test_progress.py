"""Progress: what of the course is done, from the diary of a folder. Tier: quick."""

from __future__ import annotations

from pathlib import Path

import pytest

import labkit as lk
from labkit.course.exercises.attempt import run_cell
from labkit.course.exercises.exercise import exercise_names, load_exercise
from labkit.course.exercises.outcome import Outcome, OutcomeName
from labkit.course.lesson import LESSONS, load_lesson
from labkit.course.predictions.diary import FILE, Diary, Done, Guess
from labkit.course.progress.progress import progress_of
from labkit.course.quiz import quiz


def guessed(diary: Diary, name: str) -> None:
    """Predict something, and have it scored."""
    asked = next(each for each in load_lesson(name).predictions)
    answer = asked.choices[0] if asked.choices else 2.0
    diary.guess(Guess(asked.name, answer, 70, 0.0))
    diary.score(asked, answer, 1.0)


def finish(diary: Diary, name: str) -> None:
    """Do all that a lab asks for."""
    lesson = load_lesson(name)
    for asked in lesson.predictions:
        answer = asked.choices[0] if asked.choices else 2.0
        diary.guess(Guess(asked.name, answer, 70, 0.0))
        diary.score(asked, answer, 1.0)
    for exercise in exercise_names():
        if exercise.startswith(f"{name}."):
            diary.note(Done("exercise", exercise, True), 2.0)
    for number in range(1, len(lesson.questions) + 1):
        diary.note(Done("question", f"{name}.{number}", True), 3.0)


def test_who_has_done_nothing_is_told_where_to_begin(tmp_path: Path) -> None:
    told = progress_of(Diary(tmp_path))
    assert not told.begun
    assert told.sentence().startswith(f"0 of {len(LESSONS)} labs done. Next: 00 read the curve, ")
    assert not (tmp_path / FILE).exists(), "to ask writes nothing"


def test_a_lab_is_done_when_its_guesses_exercises_and_questions_are(tmp_path: Path) -> None:
    diary = Diary(tmp_path)
    finish(diary, "graph_growth")
    told = progress_of(diary)
    assert [each.title for each in told.labs if not each.left] == ["01 graph growth"]
    assert told.sentence().startswith(f"1 of {len(LESSONS)} labs done. Next: 00 read the curve")
    assert "01 graph growth" in told.lines()[2] and "01 graph growth" in told.html()


def test_what_was_begun_comes_before_what_was_not(tmp_path: Path) -> None:
    diary = Diary(tmp_path)
    guessed(diary, "garbage")
    second = load_lesson("garbage").predictions[1].name
    assert progress_of(diary).sentence().endswith(f"Next: 05 garbage, the prediction {second}.")


def test_the_whole_course_has_nothing_next(tmp_path: Path) -> None:
    diary = Diary(tmp_path)
    for name in LESSONS:
        finish(diary, name)
    assert progress_of(diary).sentence().endswith("That is the whole course.")


@pytest.mark.parametrize(
    "done",
    [
        Done("exercise", "graph_growth.of_old", True),  # of a course that has changed
        Done("question", "graph_growth.99", True),
        Done("exercise", exercise_names()[0], False),
    ],
)
def test_what_is_not_solved_or_no_longer_asked_counts_nothing(done: Done, tmp_path: Path) -> None:
    diary = Diary(tmp_path)
    diary.note(done, 0.0)
    assert not progress_of(diary).begun


def test_the_first_answer_to_a_question_counts(tmp_path: Path) -> None:
    diary = Diary(tmp_path)
    for right in (False, True):
        diary.note(Done("question", "graph_growth.1", right), 0.0)
    lab = progress_of(diary).labs[1]
    assert lab.answered[0] == 1 and lab.right == 0


@pytest.mark.parametrize(
    "line",
    ['{"done": "exercise", "name": 3, "right": true}', '{"done": [], "name": "a", "right": true}',
     '{"done": "exercise", "name": "a", "right": 1}', '{"done": {}, "prediction": "a"}'],
)  # fmt: skip
def test_a_line_that_nobody_wrote_here_is_passed_over(line: str, tmp_path: Path) -> None:
    diary = Diary(tmp_path)
    diary.file.write_text(line + "\n")
    guessed(diary, "graph_growth")
    assert diary.done() == () and len(diary.guessed()) == 1


def test_a_question_that_is_answered_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    form = quiz("graph_growth")
    form.answer(0, 1)
    form.answer(0, 2)
    (noted,) = Diary(tmp_path).done()
    assert noted == Done("question", "graph_growth.1", load_lesson(
        "graph_growth").questions[0].choices[0].right)  # fmt: skip
    assert lk.progress().begun


def test_what_was_answered_before_a_cell_changed_the_folder_is_still_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded: the progress said that nothing had been done."""
    monkeypatch.chdir(tmp_path)
    quiz("graph_growth").answer(0, 1)
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path / "data")
    quiz("graph_growth").answer(1, 1)
    assert lk.progress().begun and len(Diary(tmp_path).done()) == 2
    assert not any((tmp_path / "data").iterdir())


def test_an_exercise_that_is_not_attempted_is_not_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = exercise_names()[0]
    run_cell(name, load_exercise(name).stub)
    assert Diary(tmp_path).done() == ()


@pytest.mark.parametrize(
    ("outcome", "noted"),
    [("right", [True]), ("wrong", [False]), ("crashed", [False]), ("not_judged", [])],
)
def test_what_came_of_an_attempt_is_noted_where_it_was_judged(
    outcome: OutcomeName, noted: list[bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = exercise_names()[0]
    found = Outcome(load_exercise(name), outcome, "So.")
    monkeypatch.setattr("labkit.course.exercises.attempt.attempt", lambda *_: found)
    assert run_cell(f" {name}", "pass") == found
    assert [each.right for each in Diary(tmp_path).done()] == noted


@pytest.mark.parametrize("writable", [True, False])
def test_what_cannot_be_kept_is_said_at_once_and_by_the_progress(
    writable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen: a folder of the file's name, and the progress said that all was kept in it."""
    monkeypatch.chdir(tmp_path)
    if not writable:
        (tmp_path / FILE).mkdir()
    name = exercise_names()[0]
    found = Outcome(load_exercise(name), "right", "So.")
    monkeypatch.setattr("labkit.course.exercises.attempt.attempt", lambda *_: found)
    outcome = run_cell(name, "pass")
    form = quiz("graph_growth")
    form.answer(0, 1)
    said = [*outcome.lines(), outcome.html(), form.said]
    told = lk.progress()
    lost = f"kept while this kernel lives: {FILE} cannot be written"
    assert told.begun
    assert [lost in each for each in (*said[1:], told.html(), told.lines()[-1])] == (
        [not writable] * (len(said) + 1)
    )
    assert (f"Kept in {FILE}" in told.lines()[-1]) == writable
