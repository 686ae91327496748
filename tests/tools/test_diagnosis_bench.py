"""The score of a diagnosis: what it counts as right, and what as wrong.

Tier: make test. No loop is run: what is said of it is made up here.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from labkit.record import Diagnosis, Finding, Ledger, Memory, Verdict
from labkit.record.proof import OutOfMemory
from tests.loops.expected import EVERY, Expectation
from tests.made_diagnosis import made_diagnosis
from tools.bench.diagnosis import diagnoses, injected, loops
from tools.bench.diagnosis.confusion import matrix, memory_matrix, misses, time_matrix
from tools.bench.diagnosis.outcome import Outcome

LEAKING = Expectation("a.py", ("slowdown",), ("history",), "yes", ("kept/", "live_tensors"))
SOUND = Expectation("b.py", ("flat", "warmup"))
EXPENSIVE = Expectation("c.py", ("flat",), tolerated=("retracing",), cost_allowed=True)


def said(label="flat", causes=(), grows=(), kind="growth") -> Diagnosis:
    return made_diagnosis(
        Verdict(label, 0.5, 0.4, 0.6, steps=100),
        Memory("leaking" if grows else "flat", 8.0 if grows else 0.0, tuple(grows)),
        Ledger(),
        tuple(Finding(cause, kind, 0.9, OutOfMemory(""), "") for cause in causes),
    )


def outcome(expected: Expectation, *arguments, **settings) -> Outcome:
    return Outcome(expected, said(*arguments, **settings), 5.0)


def truthfully(path: str) -> Diagnosis:
    """Diagnose as somebody who looked at the table."""
    each = next(each for each in EVERY if str(each.path) == path)
    place = [f"{each.keeps[0]}x" if each.keeps[0].endswith("/") else each.keeps[0]] if (
        each.leaking == "yes"
    ) else []  # fmt: skip
    return said(each.labels[0], each.first[:1], place)


def test_the_truth_has_nothing_wrong_on_any_loop() -> None:
    for each in diagnoses.diagnosed(EVERY, truthfully):
        assert each.misses() == (), each.expected.file


def test_the_truth_has_perfect_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "CONFUSION", tmp_path / "confusion.md")
    monkeypatch.setattr(loops, "keep", lambda outcomes: None)
    figures = loops.measure(truthfully)
    assert {figure.group for figure in figures} == set(loops.TABLES)
    for figure in figures:
        if figure.unit == "%":
            assert figure.value == (100 if figure.more_is_better else 0), figure.name
    page = (tmp_path / "confusion.md").read_text()
    assert page.count("None.") == len(loops.TABLES)


@pytest.mark.parametrize("label", ["slowdown", "shift"])
def test_crying_always_reaches_no_goal_of_quiet(label: str) -> None:
    def cry(path: str) -> Diagnosis:
        return said(label, ["graph_growth"], ["open_files"])

    every = list(diagnoses.diagnosed(EVERY, cry))
    figures = {figure.name: figure for figure in loops.scored("all", every)}
    assert figures["slowdown claimed where steps stay as they are"].value == 100
    assert figures["no finding where nothing is to be found"].value == 0
    assert figures["leak claimed where nothing is kept"].value == 100
    assert figures["first finding is the cause"].mark == "no"
    assert figures["leak found, with its place"].mark == "no"


def test_each_thing_wrong_is_told_in_one_line() -> None:
    each = outcome(LEAKING, "flat", ["garbage"], ["open_files"])
    assert len(each.misses()) == 3
    assert "\n" not in str(each) and str(each).startswith("MISS")


def test_a_leak_is_placed_by_name_or_by_kind_of_place() -> None:
    for counter in ("kept/losses", "live_tensors"):
        assert outcome(LEAKING, "slowdown", ["history"], [counter]).misses() == ()
    assert not outcome(
        LEAKING, "slowdown", ["history"], ["open files", "gc_objects", "live_tensor_bytes"]
    ).place_told


def test_a_cost_is_no_miss_where_it_is_allowed_and_growth_is() -> None:
    assert outcome(EXPENSIVE, causes=["host_transfer"], kind="cost").misses() == ()
    assert outcome(EXPENSIVE, causes=["retracing"]).misses() == ()
    assert outcome(EXPENSIVE, causes=["host_transfer"], kind="memory").misses() != ()
    assert outcome(SOUND, causes=["host_transfer"], kind="cost").misses() != ()


def test_an_allowed_label_that_is_not_the_plainest_is_right_and_not_exact() -> None:
    each = outcome(SOUND, "warmup")
    assert each.time_right and not each.time_exact


def test_a_diagnosis_that_fails_is_wrong_everywhere_and_the_next_loop_is_asked() -> None:
    def fail(path: str) -> Diagnosis:
        raise ValueError("no such loop")

    first, second = diagnoses.diagnosed([LEAKING, SOUND], fail)
    assert first.misses() == ("no diagnosis: ValueError: no such loop",)
    assert not (second.time_right or second.quiet or second.called_slower)
    assert "| failed |" in matrix([first])


def test_the_matrix_counts_every_loop_once() -> None:
    told = [
        outcome(LEAKING, "slowdown", ["history"], ["kept/a"]),
        outcome(LEAKING, "slowdown", ["garbage"], ["kept/a"]),
        outcome(SOUND),
    ]
    lines = matrix(told).splitlines()
    assert lines[0] == "| it is / first finding | garbage | history | none | loops |"
    assert lines[2:] == ["| history | 1 | 1 |  | 2 |", "| nothing |  |  | 1 | 1 |"]
    assert misses(told) == "- `a.py`: found garbage (growth 90%), is history"


def test_the_matrices_of_time_and_memory_count_every_loop_once() -> None:
    told = [
        outcome(LEAKING, "shift", ["history"], ["kept/a"]),
        outcome(LEAKING, "warmup", ["history"]),
        outcome(SOUND, "warmup"),
    ]
    assert time_matrix(told).splitlines()[2:] == [
        "| flat |  |  | 1 | 1 |", "| slower |  | 1 | 1 | 2 |",
    ]  # fmt: skip
    assert memory_matrix(told).splitlines() == [
        "| memory is / is called | flat | leaking | loops |", "| --- | ---: | ---: | ---: |",
        "| flat | 1 |  | 1 |", "| leaking | 1 | 1 | 2 |",
    ]  # fmt: skip


def test_a_file_of_which_nothing_is_expected_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert diagnoses.main(["nowhere.py"], truthfully) == 2
    assert "nowhere.py" in capsys.readouterr().out


def test_one_loop_alone_can_be_asked_about(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(diagnoses, "keep", lambda outcomes: None)
    assert diagnoses.main([str(EVERY[0].path)], truthfully) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    assert diagnoses.main([str(EVERY[0].path)], lambda path: said()) == 1


def test_what_was_said_is_kept_as_plain_json(tmp_path: Path) -> None:
    diagnoses.keep([outcome(SOUND)], tmp_path / "told.json")
    (told,) = json.loads((tmp_path / "told.json").read_text())
    assert told["file"] == "b.py" and told["said"]["verdict"]["label"] == "flat"


def test_an_injection_writes_a_loop_and_what_is_right_for_it(tmp_path: Path) -> None:
    expected = injected.Injection("keras", {"history": 25, "garbage": 25}, 100).write(tmp_path)
    assert "def make_step():" in expected.path.read_text()
    assert expected.first == ("history", "garbage") and expected.slower
    assert not injected.Injection("keras").write(tmp_path).slower


def test_two_injected_faults_are_found_only_if_both_are_listed(tmp_path: Path) -> None:
    expected = injected.Injection("keras", {"history": 25, "garbage": 25}).write(tmp_path)
    assert injected.both(outcome(expected, "slowdown", ["garbage", "history"]))
    assert not injected.both(outcome(expected, "slowdown", ["garbage", "observer"]))


def test_injected_faults_that_are_all_found_make_perfect_figures() -> None:
    def know(path: str) -> Diagnosis:
        name = Path(path).stem
        causes = [fault for fault in injected.FAULTS if fault in name]
        return said("slowdown" if causes else "flat", causes)

    figures = injected.measure(know)
    assert [figure.value for figure in figures] == [100] * 4
    silent = injected.measure(lambda path: said())
    assert [figure.value for figure in silent] == [0, 0, 0, 100]
