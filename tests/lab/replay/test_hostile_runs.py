"""What a notebook and a terminal are told of a run: text, whatever its words are.

Tier: make test.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click
import pytest

from labkit.causes import load
from labkit.course.calibration import calibrate
from labkit.course.check.selfchecked import CheckedCause, SelfCheck
from labkit.course.classroom.classroom import Classroom, Member
from labkit.course.exercises.exercise import load_exercise
from labkit.course.exercises.outcome import Outcome
from labkit.course.mystery.mystery import MysteryLoop
from labkit.course.predictions.diary import Guess, Guessed
from labkit.diagnosis import judgement
from labkit.lab.compare import compare, present
from labkit.lab.own_loop.diagnose import diagnose
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.lab.replay.recorded_runs import RecordedRuns, made_where
from labkit.record import LabkitError, Run, State
from labkit.record.plain_text import plain_text
from labkit.show.report.terminal import diagnosis_lines
from tests.show.hostile import EVIL, LONG, assert_page, assert_text, diagnosis, run

hostile = pytest.mark.parametrize("said", [EVIL, LONG], ids=["evil", "long"])


def assert_shown(value: Any) -> None:
    bundle = value._repr_mimebundle_()
    assert bundle["text/plain"] == str(value)
    assert_text(str(value))
    assert_page(bundle["text/html"])


@hostile
def test_a_comparison_is_text(said: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = compare(run(said), run(said, grow="other"))
    assert_shown(shown)
    present(shown)
    assert_text(capsys.readouterr().out)


@hostile
def test_what_is_told_of_a_run_is_text(said: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = run(said)
    click.echo(plain_text("\n".join(diagnosis_lines(judgement(told)))))
    out = capsys.readouterr().out
    assert_text(out)
    assert out.startswith("Traceback\n\t") or said == LONG  # of which only the end is told


@hostile
def test_a_diagnosis_is_text(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Diagnosed(diagnosis(said))
    assert_shown(found)
    assert_shown(diagnose(run(said)))


@hostile
def test_evidence_that_was_paid_for_is_text(said: str, capsys: pytest.CaptureFixture[str]) -> None:
    loop = MysteryLoop(1)
    loop._found = Diagnosed(diagnosis(said, replace(run(said), state=State("done"))))
    loop.look("memory", "ledger", "counters", "diagnosis")
    printed = capsys.readouterr().out
    assert loop.game.spent > 0, printed
    assert_text(printed)


@hostile
def test_what_came_of_an_exercise_is_text(said: str) -> None:
    exercise = load_exercise("graph_growth.build_once")
    assert_shown(Outcome(exercise, "raised", said, (), said))


@hostile
def test_predictions_that_others_wrote_are_text(said: str) -> None:
    assert_shown(calibrate([Guessed(Guess(said, said, 70, 0.0), said, True)]))


@hostile
def test_the_banner_of_a_recording_is_one_line(said: str) -> None:
    told = made_where(run(said))
    assert_text(told)
    assert "\n" not in told and len(told) <= 400


@hostile
def test_a_class_is_text(said: str) -> None:
    member = Member(said, run(said), judgement(run(said)).verdict, said)
    assert_shown(Classroom((member, replace(member, group="")), (said,)))


@hostile
def test_a_self_check_is_text(said: str) -> None:
    ran = replace(run(said), state=State("done"), environment={"gpu": said, "tensorflow": said})
    row = CheckedCause(said, said, ran, device=said, short=(said,))
    assert_shown(SelfCheck((row,), note=said))


def lab_run(said: str) -> Run:
    values = {each.name: each.parse(each.default) for each in load("graph_growth").toggles}
    return replace(run(said, "graph_growth"), toggles=values, events=())


def test_a_recording_that_is_missing_is_told_of_in_text() -> None:
    player = RecordedRuns([replace(lab_run(EVIL), toggles={**lab_run("").toggles, "grow": EVIL})])
    with pytest.raises(LabkitError) as refused:
        player.start({"grow": "off"})
    assert_text(str(refused.value))


def test_a_file_that_nobody_can_have_is_refused_in_one_sentence() -> None:
    for name in ("a\x00b.py", "a\ud800b.py", "x" * 5_000 + ".py"):
        with pytest.raises(LabkitError, match="There is no file") as refused:
            diagnose(name)
        assert_text(str(refused.value))
