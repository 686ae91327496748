"""Predictions: what may be answered, what is right, what the diary keeps. Tier: make test."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from labkit.course.calibration import Calibration, calibrate
from labkit.course.predictions.diary import FILE, Diary, Guess
from labkit.course.predictions.prediction import Prediction
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


GUESS = {"prediction": "lab.shape", "answer": "flat", "sure": 70, "at_seconds": 0.0}
TRUTH = {"prediction": "lab.shape", "truth": "flat", "right": False}


def changed(line: dict[str, object], **facts: object) -> bytes:
    return json.dumps({**line, **facts}).encode()


SICK = {
    "empty": b"", "torn": b"{", "a number": b"7", "a list": b"[]", "a control character": b"\x00",
    "no UTF-8": b"\xff\xfe\xff", "deep": b"[" * 9_000, "ten megabytes": b"[" * 10_000_000,
    "too many digits": b'{"prediction": ' + b"9" * 9_000 + b"}",
    "no text for a name": changed(GUESS, prediction=3),
    "half a character": changed(GUESS, prediction="lab.\ud800"),
    "half a character answered": changed(GUESS, answer="\ud800"),
    "nothing said": b'{"prediction": "lab.shape"}',
    "no answer": changed(GUESS, answer=None), "a list of answers": changed(GUESS, answer=[1]),
    "no number": changed(GUESS, answer=float("nan")),
    "true": changed(GUESS, answer=True),
    "a huge number": changed(GUESS, answer=10**400),
    "sure in words": changed(GUESS, sure="x"), "sure of nothing": changed(GUESS, sure=float("nan")),
    "as sure as nobody can be": changed(GUESS, sure=60), "sure as true": changed(GUESS, sure=True),
    "no time": changed(GUESS, at_seconds="now"),
    "no sureness": b'{"prediction": "lab.shape", "answer": "flat"}',
    "no choice of the lesson": changed(GUESS, answer="stairs"),
    "a truth in numbers": changed(TRUTH, truth=1), "right as 0": changed(TRUTH, right=0),
}  # fmt: skip


@pytest.mark.parametrize("line", SICK.values(), ids=SICK.keys())
def test_a_line_that_cannot_be_read_takes_no_other_with_it(tmp_path: Path, line: bytes) -> None:
    diary = Diary(tmp_path)
    diary.guess(guess("ramp", 90))
    with diary.file.open("ab") as file:
        file.write(line + b"\n")
    assert diary.latest("lab.factor") is None
    diary.score(SHAPE, "ramp", 1.0)
    with diary.file.open("ab") as file:
        file.write(line + b"\n")
    assert [(each.guess.answer, each.right) for each in diary.guessed()] == [("ramp", True)]
    assert calibrate(diary.guessed()).levels == ((90, 1, 1),)


def test_an_answer_that_is_no_number_hides_none_that_is(tmp_path: Path) -> None:
    diary = Diary(tmp_path)
    diary.guess(guess(3.0, 90, "lab.factor"))
    diary.guess(guess("much", 50, "lab.factor"))
    scored = diary.score(FACTOR, 3.1, 1.0)
    assert scored is not None and (scored.guess.answer, scored.right) == (3.0, True)
    assert diary.guessed() == (scored,)


def test_a_diary_that_an_editor_saved_counts_as_before(tmp_path: Path) -> None:
    diary = Diary(tmp_path)
    diary.guess(guess("ramp"))
    text = diary.file.read_bytes().strip().replace(b"\n", b"\r\n")
    diary.file.write_bytes(b"\xef\xbb\xbf" + text + b"\r\n")
    assert diary.latest("lab.shape") == guess("ramp")


def test_words_of_any_language_are_kept(tmp_path: Path) -> None:
    named = Prediction("lab.shape", "?", ("平ら", "مسطح 😀"))
    diary = Diary(tmp_path)
    diary.guess(guess("مسطح 😀"))
    diary.score(named, "مسطح 😀", 1.0)
    (kept,) = Diary(tmp_path).guessed()
    assert kept.right and kept.truth == "مسطح 😀"


def test_half_a_line_of_a_disk_that_was_full_takes_no_other_with_it(tmp_path: Path) -> None:
    diary = Diary(tmp_path)
    with diary.file.open("w") as file:
        file.write('{"prediction": "lab.sh')
    diary.guess(guess("ramp"))
    assert diary.score(SHAPE, "ramp", 1.0) is not None


def _folder(path: Path) -> None:
    (path / FILE).mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path / FILE)


def _nothing(path: Path) -> None:
    path.rmdir()


@pytest.mark.parametrize("make", [_nothing, _folder, _pipe])
def test_where_nothing_can_be_written_the_answer_is_kept_for_now(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    (tmp_path / "here").mkdir()
    make(tmp_path / "here")
    diary = Diary(tmp_path / "here")
    assert diary.guessed() == ()
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
    return calibrate(diary.guessed())


@pytest.mark.parametrize(
    ("sure", "manner"),
    [(50, "underconfident"), (70, "well calibrated"), (90, "overconfident")],
)
def test_seven_of_ten_right_is_held_against_how_sure_they_were(
    tmp_path: Path, sure: int, manner: str
) -> None:
    found = scored(tmp_path, *[(f"lab.{place}", sure, place < 7) for place in range(10)])
    assert found.levels == ((sure, 10, 7),)
    said = f"10 predictions, 7 right. You were {sure} % sure and right in 70%: {manner}."
    assert found.sentence() == said


def test_who_is_sure_to_different_degrees_is_judged_by_the_mean(tmp_path: Path) -> None:
    said = [("a.a", 90, False), ("a.b", 90, True), ("a.c", 50, False), *[("a.d", 50, True)] * 2]
    found = scored(tmp_path, *said, ("a.e", 50, True))
    assert found.levels == ((50, 3, 2), (90, 2, 1))
    assert "66 % sure and right in 60%: well calibrated" in found.sentence()


def test_a_question_counts_once_the_first_time(tmp_path: Path) -> None:
    found = scored(tmp_path, ("a.a", 90, False), ("a.a", 90, True))
    assert [each.right for each in found.guessed] == [False]


def test_a_few_predictions_are_counted_and_not_judged(tmp_path: Path) -> None:
    found = scored(tmp_path, *[(f"lab.{place}", 90, False) for place in range(4)])
    assert found.sentence().startswith("4 predictions, 0 right. From 5 on this says")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize(("mode", "group"), [(0o1777, 0), (0o2775, 65534)])
def test_in_a_folder_where_others_may_write_a_link_of_theirs_is_not_followed(
    tmp_path: Path, mode: int, group: int
) -> None:
    (tmp_path / "theirs").touch()
    (tmp_path / FILE).symlink_to(tmp_path / "theirs")
    os.chown(tmp_path / FILE, 65534, 65534, follow_symlinks=False)
    os.chown(tmp_path, 0, group)
    tmp_path.chmod(mode)
    diary = Diary(tmp_path)
    diary.guess(guess("ramp"))
    assert not diary.kept and (tmp_path / "theirs").read_bytes() == b""


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_no_line_goes_through_a_link_that_is_put_there_in_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded: in a folder that a class shares, lines were added to a private file of ours."""
    secret, diary = tmp_path / "secret", Diary(tmp_path)
    secret.touch()

    def look_and_wait(file: Path) -> None:
        file.symlink_to(secret)

    monkeypatch.setattr("labkit.record.saving.shared_folder.check_ours", look_and_wait)
    diary.guess(Guess("graph_growth.shape", "slowdown", 80, 1.0))
    assert secret.read_bytes() == b"" and not diary.kept


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_diary_of_ours_may_be_a_link(tmp_path: Path) -> None:
    kept = tmp_path / "elsewhere.jsonl"
    (tmp_path / FILE).symlink_to(kept)
    diary = Diary(tmp_path)
    diary.guess(Guess("graph_growth.shape", "slowdown", 80, 1.0))
    assert diary.kept and b"slowdown" in kept.read_bytes()


def test_a_file_of_any_size_in_a_shared_folder_costs_no_memory(tmp_path: Path) -> None:
    """Recorded: all of it was read, and a classmate's of 40 GB ended the kernel."""
    with (tmp_path / FILE).open("wb") as file:
        file.truncate(40_000_000_000)
    Diary(tmp_path).guess(guess("ramp"))
    assert Diary(tmp_path).latest("lab.shape") == guess("ramp")
