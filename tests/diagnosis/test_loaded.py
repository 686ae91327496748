"""A run from a file opens no path that it names. Tier: make quick."""

from __future__ import annotations

import linecache
from dataclasses import replace
from pathlib import Path

import pytest

from labkit.diagnosis import examine
from labkit.record import Event, Run, load_run, save_run
from tests.diagnosis.watched import ramp, watched


@pytest.fixture
def handed_over(tmp_path: Path) -> Run:
    """A run whose evidence and events name a file of the one who reads it."""
    secret = tmp_path / "secret.py"
    secret.write_text("kept = kept + 'a password'\n" * 20)
    run = watched({"graph_building_seconds": ramp(1e-4, 4e-3)})
    evidence = {
        f"line/graph_building_seconds/{secret}:3": ((5, 0.1),),
        f"line/input_building_seconds/{secret}:4": ((5, 0.1),),
        f"nested/{secret}:5": ((5, 1.0), (100, 96.0)),
        f"recursion/{secret}:6": ((len(run.steps), 1.0 * len(run.steps)),),
        "calls/secret.py:1 kept": ((5, 1.0),),
        **run.evidence,
    }
    at = {"file": str(secret), "line": 7}
    events = tuple(Event(step, "trace", "trace", at) for step in range(2, 60))
    return replace(run, evidence=evidence, events=events)


def test_a_loaded_run_reads_no_file_that_it_names(
    handed_over: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = load_run(save_run(handed_over, tmp_path / "handed.jsonl"))
    assert run.loaded and run == handed_over

    def opened(*_: object) -> list[str]:
        raise AssertionError("a path of a loaded run was opened")

    monkeypatch.setattr(linecache, "getlines", opened)
    monkeypatch.setattr(linecache, "getline", opened)
    monkeypatch.setattr("os.path.isfile", opened)
    said = examine(run)
    assert said.findings and "password" not in str(said)


def test_a_run_of_this_process_shows_the_code_of_its_lines(handed_over: Run) -> None:
    assert "password" in str(examine(handed_over).findings)
