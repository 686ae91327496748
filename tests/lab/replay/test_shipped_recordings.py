"""The recordings that come with labkit: real, whole, small, and found by the name of their lab.

Tier: make test; the reading and judging of all of them is marked full.
"""

from __future__ import annotations

import gzip
import json
import re
import tomllib
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement
from labkit.lab.lab import Lab
from labkit.lab.replay.recorded_runs import RecordedRuns
from labkit.lab.replay.recordings import recordings, shipped
from labkit.lab.replay.replay import replay
from labkit.record import Column, LabkitError, State, Steps, load_run, save_run
from labkit.show.verdict.verdict_words import verdict_words
from tests.lab.replay.test_replay import recorded
from tools.recordings import MOST_BYTES, RECORDINGS, SAID, clear, planned, small, unsettled

FILES = sorted(RECORDINGS.glob("*/*"))
ROOT = RECORDINGS.parent.parent


def facts(file: Path) -> dict[str, Any]:
    """Return what a file says of its run, without reading the steps."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        assert json.loads(next(lines))["labkit"] == "run"
        told: dict[str, Any] = json.loads(next(lines))
    return told


def test_every_lab_is_recorded_with_its_main_toggle_as_it_is_and_otherwise() -> None:
    for slug in SLUGS:
        main = load(slug).toggles[0]
        stands = {main.word(facts(file)["toggles"][main.name]) for file in FILES
                  if file.parent.name == slug}  # fmt: skip
        assert main.default in stands and len(stands) > 1, slug


def test_every_file_is_of_its_lab_and_says_where_and_when() -> None:
    for file in FILES:
        told = facts(file)
        assert told["cause"] == file.parent.name
        made = told["environment"]
        for fact in ("started", "tensorflow", "python", "processor", "cores", "device"):
            assert made[fact], (file, fact)
        assert made["recording"] == SAID and told["log"] == ""


def test_the_first_file_of_a_lab_has_the_defaults() -> None:
    for slug in SLUGS:
        first = next(file for file in FILES if file.parent.name == slug)
        # A toggle that was added later does nothing where it stands by default.
        told, defaults = facts(first)["toggles"], load(slug).toggle_values({})
        assert told == {name: defaults[name] for name in told}


def test_no_file_holds_a_path_of_the_machine_that_made_it() -> None:
    for file in FILES:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            said = "".join(line for _, line in zip(range(2), lines, strict=False))
        assert not re.search(r"/(home|root|work|tmp|Users)/", said), file


def test_all_of_them_are_small_and_part_of_the_package() -> None:
    assert sum(file.stat().st_size for file in FILES) <= MOST_BYTES
    built = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    (pattern,) = built["artifacts"]
    assert FILES
    assert all(fnmatch(f"/{file.relative_to(ROOT).as_posix()}", pattern) for file in FILES)


def test_the_name_of_a_lab_plays_what_comes_with_labkit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABKIT_LIVE", "blocking")
    assert replay("healthy").runs[0].cause == "healthy"
    runs = recordings("healthy")
    assert runs and {run.cause for run in runs} == {"healthy"}
    assert RecordedRuns(runs).toggles[0].default == "off"


def test_a_switch_alone_is_enough_for_a_lab_with_recordings() -> None:
    assert Lab("healthy", recorded=True).player.toggles[-1].name == "recorded"
    assert "recorded" not in [each.name for each in Lab("healthy", recorded=False).player.toggles]


def test_recordings_of_a_graphics_card_are_preferred_as_soon_as_there_are_some(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "graph_growth"
    folder.mkdir()
    save_run(recorded(), folder / "00-defaults.jsonl.gz")
    save_run(recorded(grow=False), folder / "01-grow-off.jsonl.gz")
    assert len(shipped("graph_growth", tmp_path)) == 2
    card = {"device": "gpu", "gpu": "a card"}
    save_run(replace(recorded(), environment=card), folder / "00-defaults-gpu.jsonl.gz")
    # By the defaults alone nothing could be switched.
    assert [run.environment.get("gpu") for run in shipped("graph_growth", tmp_path)] == [None] * 2
    save_run(replace(recorded(grow=False), environment=card), folder / "01-grow-off-gpu.jsonl.gz")
    assert [run.environment["gpu"] for run in shipped("graph_growth", tmp_path)] == ["a card"] * 2


def test_a_lab_that_was_recorded_on_a_graphics_card_only_plays_that(tmp_path: Path) -> None:
    (tmp_path / "graph_growth").mkdir()
    on_card = replace(recorded(), environment={"device": "gpu", "gpu": "a card"})
    save_run(on_card, tmp_path / "graph_growth" / "00-defaults-gpu.jsonl.gz")
    (only,) = shipped("graph_growth", tmp_path)
    assert only.environment["gpu"] == "a card"


def test_a_lab_without_any_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(LabkitError, match="labkit run healthy --out"):
        shipped("healthy", tmp_path)


def test_what_is_recorded_follows_from_what_a_cause_declares() -> None:
    plans = planned(load("graph_growth"))
    assert [dict(plan.toggles) for plan in plans] == [
        {}, {"grow": "off"}, {"build_once": "on"}, {"finalize": "on"},
    ]  # fmt: skip
    assert plans[1].file("cpu") == "01-grow-off.jsonl.gz"
    assert plans[0].file("gpu") == "00-defaults-gpu.jsonl.gz"
    assert {plan.turn for plan in planned(load("healthy"))} == {0, 2}


def test_only_what_is_missing_is_made_again_and_what_nobody_plans_is_removed(
    tmp_path: Path,
) -> None:
    plans = planned(load("graph_growth"))
    folder = tmp_path / "graph_growth"
    folder.mkdir()
    calm = save_run(recorded(), folder / plans[0].file("cpu"))
    of_a_card = replace(recorded(), environment={"device": "gpu"})
    save_run(of_a_card, folder / "00-defaults-gpu.jsonl.gz")
    save_run(replace(recorded(), environment={"device": "cpu"}), folder / "09-old.jsonl.gz")
    clear(plans, tmp_path, "cpu")
    assert sorted(folder.iterdir()) == sorted([calm, folder / "00-defaults-gpu.jsonl.gz"])
    assert unsettled(plans, tmp_path, "cpu") == plans[1:]


def test_what_is_shipped_says_what_was_left_out_and_is_the_same_run() -> None:
    raised = State(
        "failed", "It raised.",
        'File "/home/me/env/lib/python3.12/site-packages/keras/a.py", line 3\n'
        'File "/home/me/labkit/causes/garbage.py", line 4',
    )  # fmt: skip
    run = replace(recorded(), log="a line", state=raised)
    kept = small(run)
    assert kept.log == "" and kept.environment["recording"] == SAID
    assert "/home" not in kept.state.traceback and "keras/a.py" in kept.state.traceback
    assert "labkit/causes/garbage.py" in kept.state.traceback
    assert list(kept.steps.seconds) == pytest.approx(list(run.steps.seconds), abs=1e-8)
    assert kept.events == run.events and kept.toggles == run.toggles
    assert judgement(kept).verdict.label == judgement(run).verdict.label


def test_counts_are_kept_to_the_last_digit() -> None:
    run = recorded(3)
    steps = {name: list(run.steps.column(name)) for name in run.steps.names}
    bytes_read = [288_305_152.0, 288_305_153.0, 288_309_248.0]
    column = Column("resident_bytes", "resident memory", "bytes", "counter")
    wide = replace(
        run, columns=(*run.columns, column), steps=Steps({**steps, "resident_bytes": bytes_read}),
        events=(),
    )  # fmt: skip
    assert list(small(wide).steps.column("resident_bytes")) == bytes_read


@pytest.mark.full
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.name}")
def test_every_file_is_whole(file: Path) -> None:
    run = load_run(file)
    assert run.state.ended and len(run.steps) >= 20
    assert verdict_words(judgement(run).verdict)


@pytest.mark.full
@pytest.mark.parametrize("slug", [s for s in SLUGS if load(s).expectation.growth > 0])
def test_a_lab_whose_steps_should_grow_was_recorded_growing(slug: str) -> None:
    assert judgement(shipped(slug)[0]).verdict.slower
