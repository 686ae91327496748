"""A class's run files in one chart.

Tier: make test; how long a hundred files take is measured by `python -m tools.bench classroom`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from labkit.lab.classroom import classroom
from labkit.record import ChoiceError, Column, LabkitError, Run, State, Steps, save_run


def made(
    level_ms: float = 5.0, growth: float = 2.0, *, grow: bool = True, cause: str = "graph_growth"
) -> Run:
    """Return a run of a machine: what a step takes at first, and how much more at last."""
    noise = np.random.default_rng(int(level_ms * 10)).normal(1, 0.01, 150)
    seconds = level_ms * 1e-3 * np.linspace(1, 1 + growth, 150) * noise
    return Run(
        cause=cause, title="Graph growth", state=State("done"),
        columns=(Column("start_seconds", "start", "s", "clock"),
                 Column("seconds", "time of the step", "s", "clock")),
        steps=Steps({"start_seconds": np.cumsum(seconds) - seconds, "seconds": seconds}),
        toggles={"grow": grow}, environment={"processor": f"machine {level_ms:g}", "cores": 2},
    )  # fmt: skip


def folder_of(folder: Path, *runs: Run) -> Path:
    for number, run in enumerate(runs):
        save_run(run, folder / f"learner-{number}.jsonl")
    return folder


def test_all_machines_are_in_one_sentence(tmp_path: Path) -> None:
    shown = classroom(folder_of(tmp_path, made(2), made(5, 3), made(20)))
    (said,) = shown.sentences()
    assert said.startswith("3 runs: 3 got slower; at the end the middle one takes x 3 of")
    assert "the first steps take 2.0 ms to 20.0 ms" in said
    assert not shown.passed_over


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


def test_a_file_that_is_no_run_costs_the_others_nothing(tmp_path: Path) -> None:
    folder_of(tmp_path, made(2))
    (tmp_path / "broken.jsonl").write_text("no run\n")
    shown = classroom(tmp_path)
    assert len(shown.members) == 1
    assert len(shown.passed_over) == 1 and "broken.jsonl" in str(shown)


def test_a_name_cannot_become_markup(tmp_path: Path) -> None:
    save_run(made(2), tmp_path / "<b>me<b>.jsonl")
    assert "<b>me" not in classroom(tmp_path)._repr_mimebundle_()["text/html"]


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
    with pytest.raises(ChoiceError, match="graph_growth, retracing"):
        classroom(tmp_path)
    assert len(classroom(tmp_path, cause="retracing").members) == 1
    with pytest.raises(ChoiceError, match="history"):
        classroom(tmp_path, cause="history")


def test_an_empty_folder_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(LabkitError, match="no saved run with a step"):
        classroom(tmp_path)
