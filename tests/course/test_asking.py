"""Predicting, revealing and the quiz as cells use them, without a browser. Tier: make test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import labkit as lk
from labkit.course.lesson import load_lesson
from labkit.record import ChoiceError, LabkitError, Run
from tests.made_run import made_run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(growth: float, steps: int = 200) -> Run:
    noise = np.random.default_rng(1).normal(1, 0.01, steps)
    seconds = 0.01 * np.linspace(1, 1 + growth, steps) * noise
    return made_run(seconds, cause="graph_growth")


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.strip()


def test_a_prediction_is_scored_by_the_verdict_of_a_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lk.predict("graph_growth.shape", answer="ramp", sure=90)
    assert said(capsys) == "You said ramp, 90 % sure."
    lk.reveal("graph_growth.shape", run(1.0))
    told = said(capsys)
    assert told.startswith("You said ramp, 90 % sure. Measured: ") and told.endswith("Right.")


def test_a_wrong_shape_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    lk.predict("graph_growth.shape", answer="ramp", sure=50)
    lk.reveal("graph_growth.shape", run(0.0))
    assert said(capsys).endswith("Measured: flat. Not right.")


def test_a_factor_is_that_of_the_last_level_to_the_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lk.predict("graph_growth.factor", answer=2, sure=70)
    lk.reveal("graph_growth.factor", run(1.0))
    assert "Right: " in said(capsys)


@pytest.mark.parametrize(("answer", "right"), [(2.1, "Right"), (6.5, "Not right")])
def test_a_number_is_told_how_far_off_it_may_be(
    capsys: pytest.CaptureFixture[str], answer: float, right: str
) -> None:
    lk.predict("graph_growth.factor", answer=answer, sure=70)
    lk.reveal("graph_growth.factor", 3.0)
    assert said(capsys).endswith(f"Measured: 3 times. {right}: 2 to 4.5 times counts.")


def test_a_run_too_short_to_judge_scores_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    lk.predict("graph_growth.shape", answer="ramp", sure=70)
    lk.reveal("graph_growth.shape", run(1.0, steps=4))
    assert "does not decide it" in said(capsys)
    assert lk.calibration().guessed == ()


@pytest.mark.parametrize(
    ("low", "high", "decided"),
    [(-0.47, 8.03, False), (-0.5, 1.0, False), (-0.2, 0.5, True), (-0.02, 0.03, True)],
)
def test_times_that_leave_open_whether_they_halved_or_doubled_decide_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    low: float, high: float, decided: bool,
) -> None:  # fmt: skip
    # As on a busy machine: its share is taken out of the claim, and the interval gets wide.
    verdict = replace(lk.verdict(run(0.0)), low=low, high=high)
    monkeypatch.setattr("labkit.lab.verdicts.verdict", lambda _run: verdict)
    lk.predict("graph_growth.shape", answer="flat", sure=70)
    lk.predict("graph_growth.factor", answer=1, sure=70)
    said(capsys)
    for name in ("graph_growth.shape", "graph_growth.factor"):
        lk.reveal(name, run(0.0))
        assert ("does not decide it" in said(capsys)) is not decided
    assert len(lk.calibration().guessed) == 2 * decided


@pytest.mark.parametrize(("share", "decided"), [(0.57, False), (0.4, True), (None, True)], ids=str)
def test_a_change_that_other_programs_may_have_made_decides_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    share: float | None, decided: bool,
) -> None:  # fmt: skip
    """Seen: a right guess about a healthy loop was called wrong on a machine that was busy."""
    lk.predict("graph_growth.factor", answer=1, sure=90)
    verdict = replace(
        lk.verdict(run(0.0)), label="shift", growth=0.88, low=0.8, high=1.0, contended_share=share
    )
    monkeypatch.setattr("labkit.lab.verdicts.verdict", lambda _run: verdict)
    lk.reveal("graph_growth.factor", run(0.0))
    told = said(capsys)
    assert ("does not decide it" in told) is not decided
    assert decided or "1.88 times, and other programs took 57% of the time" in told


def test_without_a_prediction_the_measurement_is_told_all_the_same(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    lk.reveal("graph_growth.shape", run(0.0))
    assert said(capsys) == "You made no prediction here. Measured: flat."
    assert list(folder.iterdir()) == []


def test_a_cell_run_again_says_that_it_was_scored(capsys: pytest.CaptureFixture[str]) -> None:
    lk.predict("graph_growth.shape", answer="ramp", sure=70)
    lk.reveal("graph_growth.shape", run(1.0))
    lk.reveal("graph_growth.shape", run(1.0))
    assert "When it was scored first, that was right." in said(capsys)
    assert len(lk.calibration().guessed) == 1


def test_where_nothing_can_be_kept_a_prediction_is_scored_all_the_same(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "labkit-predictions.jsonl").mkdir()
    lk.predict("graph_growth.shape", answer="ramp", sure=70)
    lk.reveal("graph_growth.shape", run(1.0))
    assert said(capsys).endswith("Right.")


def test_a_truth_that_is_none_of_the_choices_is_refused() -> None:
    with pytest.raises(ChoiceError, match="There is no answer to"):
        lk.reveal("graph_growth.chain", "sideways")


@pytest.mark.parametrize(
    ("names", "more", "words"),
    [
        ((), {}, "0 names"),
        (("graph_growth.shape", "graph_growth.factor"), {"answer": "ramp"}, "2 names"),
        (("graph_growth.shape",), {"answer": "ramp"}, "50, 70, 90"),
        (("graph_growth.shape",), {"answer": "up", "sure": 70}, "flat, ramp"),
        (("graph_growth.size",), {}, "graph_growth.shape"),
    ],
)
def test_a_prediction_that_cannot_be_made_is_one_sentence(
    names: tuple[str, ...], more: dict[str, object], words: str
) -> None:
    with pytest.raises(LabkitError, match=words):
        lk.predict(*names, **more)  # type: ignore[arg-type]


def test_where_no_widget_can_be_shown_the_question_says_how_to_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LABKIT_LIVE", "blocking")
    form = lk.predict("graph_growth.shape")
    assert form is not None
    text = form._repr_mimebundle_()["text/plain"]
    assert "lk.predict('graph_growth.shape', answer='flat', sure=70)" in text
    asked = lk.quiz("graph_growth")._repr_mimebundle_()["text/plain"]
    assert load_lesson("graph_growth").questions[0].ask in asked


def test_a_quiz_can_be_played_in_code(capsys: pytest.CaptureFixture[str]) -> None:
    questions = load_lesson("graph_growth").questions
    played = lk.quiz("graph_growth")
    for number, question in enumerate(questions, 1):
        right = next(at for at, choice in enumerate(question.choices, 1) if choice.right)
        played.choose(number, right)
    assert f"{len(questions)} of {len(questions)} right at the first try" in said(capsys)


def test_calibration_tells_what_was_asked_said_and_measured(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "No prediction was scored yet" in str(lk.calibration())
    lk.predict("graph_growth.shape", answer="flat", sure=90)
    lk.reveal("graph_growth.shape", run(1.0))
    shown = lk.calibration()
    assert "1 prediction, 0 right" in shown.sentence()
    assert "90 % sure" in shown.rows()[0][1] and shown.rows()[0][3] == "not right"
    assert "0 of 1 right" in shown.picture.alt


def test_a_lesson_that_has_changed_since_keeps_what_was_said(folder: Path) -> None:
    from labkit.course.predictions.diary import Diary, Guess
    from labkit.course.predictions.prediction import Prediction

    asked = Prediction("graph_growth.of_old", "?", ("a", "b"))
    diary = Diary(folder)
    diary.guess(Guess(asked.name, "a", 70, 0.0))
    diary.score(asked, "b", 0.0)
    assert lk.calibration().rows() == [("graph_growth.of_old", "a, 70 % sure", "b", "not right")]
