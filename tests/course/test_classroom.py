"""A class's run files in one chart.

Tier: make test; how long a hundred files take is measured by `python -m tools.bench classroom`.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from labkit.course.classroom import classroom as module
from labkit.course.classroom.classroom import classroom
from labkit.diagnosis import judgement
from labkit.record import ChoiceError, LabkitError, Run, Steps, save_run
from tests.made_run import made_run


def made(
    level_ms: float = 5.0, growth: float = 2.0, *, grow: bool = True, cause: str = "graph_growth"
) -> Run:
    """Return a run of a machine: what a step takes at first, and how much more at last."""
    noise = np.random.default_rng(int(level_ms * 10)).normal(1, 0.01, 150)
    seconds = level_ms * 1e-3 * np.linspace(1, 1 + growth, 150) * noise
    machine = {"processor": f"machine {level_ms:g}", "cores": 2}
    return made_run(seconds, cause=cause, toggles={"grow": grow}, environment=machine)


def folder_of(folder: Path, *runs: Run) -> Path:
    for number, run in enumerate(runs):
        save_run(run, folder / f"learner-{number}.jsonl")
    return folder


def test_all_machines_are_in_one_sentence(tmp_path: Path) -> None:
    shown = classroom(folder_of(tmp_path, made(2), made(5, 3), made(20)))
    (said,) = shown.sentences()
    assert said.startswith("3 runs: 3 got slower; at the end the median one takes 3x as long as")
    assert "the first steps take 2.0 ms to 20.0 ms" in said
    assert not shown.passed_over


def test_of_each_run_only_what_is_drawn_is_held(tmp_path: Path) -> None:
    """Seen: a file of 3 MB took 1.6 GB of the teacher's memory for as long as the chart stayed."""
    run = made()
    wide = {f"column_{number}": run.steps.seconds for number in range(50)}
    times = {name: run.steps.column(name) for name in ("start_seconds", "seconds")}
    heavy = replace(run, steps=Steps(times | wide), evidence={"heap_bytes": ((1, 2.0), (2, 3.0))})
    save_run(heavy, tmp_path / "heavy.jsonl.gz")
    [member] = classroom(tmp_path).members
    assert member.run.steps.names == ("start_seconds", "seconds") and not member.run.evidence
    assert member.run.steps.seconds == run.steps.seconds
    assert member.verdict == judgement(run).verdict


def test_the_chart_and_the_table_name_every_machine(tmp_path: Path) -> None:
    shown = classroom(folder_of(tmp_path, made(2), made(20)))
    page = shown._repr_mimebundle_()["text/html"]
    assert "machine 2, 2 cores" in page and "machine 20" in page and "learner-1" in page
    assert shown.picture.alt == " ".join(shown.sentences())
    assert shown.picture.png.startswith(b"\x89PNG")


def test_loops_that_differ_in_a_toggle_are_told_apart(tmp_path: Path) -> None:
    shown = classroom(folder_of(tmp_path, made(2), made(5), made(5, 0, grow=False)))
    growing, resting = shown.sentences()
    assert growing.startswith("2 runs with grow on: 2 got slower")
    assert resting.startswith("1 run with grow off: 0 got slower")


def test_two_files_of_one_name_are_both_kept(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        save_run(made(2), tmp_path / name / "run.jsonl")
    assert len(classroom(tmp_path / "first", tmp_path / "second").members) == 2


def test_without_a_name_the_current_folder_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LabkitError, match=f"no saved run with a step in {tmp_path}"):
        classroom()
    folder_of(tmp_path, made(2), made(5))
    assert len(classroom().members) == 2


def test_several_causes_ask_for_a_choice(tmp_path: Path) -> None:
    folder_of(tmp_path, made(2), made(2, cause="retracing"))
    with pytest.raises(LabkitError, match="graph_growth, retracing"):
        classroom(tmp_path)
    assert len(classroom(tmp_path, cause="retracing").members) == 1
    with pytest.raises(ChoiceError, match="history"):
        classroom(tmp_path, cause="history")


def test_whatever_is_wrong_with_a_file_the_others_are_drawn(tmp_path: Path) -> None:
    folder_of(tmp_path, made(2), made(5))
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "lost.jsonl").symlink_to(tmp_path / "none")
    (tmp_path / "circle.jsonl").symlink_to(tmp_path / "circle.jsonl")
    (tmp_path / "torn.jsonl.gz").write_bytes(b"\x1f\x8bhalf")
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "two\nlines \udcff.jsonl").write_text("no run")
    (tmp_path / "locked.jsonl").write_text("no run")
    (tmp_path / "locked.jsonl").chmod(0)
    os.mkfifo(tmp_path / "pipe.jsonl")  # which nobody writes to
    shown = classroom(tmp_path)
    assert len(shown.members) == 2 and shown.picture.png
    left_out = "\n".join(shown.passed_over)
    assert len(shown.passed_over) == len(left_out.splitlines()) == 8
    for said in (
        "folder.jsonl cannot be read (Is a directory)",
        "lost.jsonl cannot be read (No such file or directory)",
        "circle.jsonl cannot be read (Too many levels of symbolic links)",
        "torn.jsonl.gz cannot be read",
        "empty.jsonl ends at line 0",
        r"two\nlines \udcff.jsonl, line 1, ",
        "locked.jsonl",
        "pipe.jsonl is a pipe or a device",
    ):
        assert said in left_out and said in str(shown)
    str(shown).encode()
    shown._repr_mimebundle_()["text/html"].encode()


@pytest.mark.parametrize("broken", ["load_found", "judgement"])
def test_a_file_that_labkit_itself_fails_on_is_left_out_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    folder_of(tmp_path, made(2), made(5), made(20))
    whole = {"load_found": module.load_found, "judgement": judgement}[broken]

    def fails_on_one(told: Any, *more: Any) -> Any:
        environment = told.environment if isinstance(told, Run) else {}
        if "learner-1" in str(told) or environment.get("processor") == "machine 5":
            raise ZeroDivisionError("division\nby zero")
        return whole(told, *more)

    monkeypatch.setattr(module, broken, fails_on_one)
    shown = classroom(tmp_path)
    assert [member.name for member in shown.members] == ["learner-0", "learner-2"]
    (said,) = shown.passed_over
    assert said.startswith("learner-1")
    assert r"cannot be used (ZeroDivisionError: division\nby zero); use another" in said


def test_if_no_run_can_be_judged_it_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_run: Run) -> None:
        raise LabkitError("No clock was there; take the run again.")

    monkeypatch.setattr(module, "judgement", fail)
    with pytest.raises(LabkitError, match=r"learner-0: No clock was there; take the run again"):
        classroom(folder_of(tmp_path, made(2)))


def test_dollars_in_a_title_are_no_formula(tmp_path: Path) -> None:
    """Recorded: a title with two of them raised an error of matplotlib's, or lost its letters."""
    shown = classroom(folder_of(tmp_path, replace(made(2), title="cost $\\frac{ of $ it")))
    assert rb"cost $\frac{ of $ it" in shown.picture.svg
