"""``labkit run all`` records every cause in one command. Tier: make test-full.

A few steps each: what is recorded is asked here, what it shows in ``tests/causes``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from labkit.causes import SLUGS, load
from labkit.record import Run, load_run
from tests.command import labkit

pytestmark = pytest.mark.full
STEPS = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def said(folder: Path) -> dict[str, Any]:
    """The one JSON object that the command printed."""
    done = labkit("run", "all", "--steps", str(STEPS), "--out", f"{folder}/", "--json", seconds=400)
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.fixture
def run(said: dict[str, Any], folder: Path, slug: str) -> Run:
    assert slug in [run["cause"] for run in said["runs"]]
    return load_run(folder / f"{slug}.jsonl")


def test_every_cause_is_in_the_object_in_the_order_of_the_course(said: dict[str, Any]) -> None:
    assert [run["cause"] for run in said["runs"]] == list(SLUGS)
    assert {run["state"] for run in said["runs"]} == {"done"}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_cause_is_saved_with_its_steps_and_the_machine(run: Run) -> None:
    assert run.state.name == "done" and len(run.steps) == STEPS
    assert all(seconds > 0 for seconds in run.steps.seconds)
    facts = run.environment
    assert facts["tensorflow"] and facts["tensorflow_build"] and facts["started"]
    assert facts["not_measured"] is None


@pytest.mark.parametrize("slug", SLUGS)
def test_the_lanes_counters_and_places_a_cause_names_are_recorded(slug: str, run: Run) -> None:
    cause = load(slug)
    recorded = {column.name for column in run.columns}
    assert set(cause.lanes) <= recorded
    expected = cause.expectation
    assert {*expected.per_step, *expected.holds, *expected.rises} <= recorded | {"memory_bytes"}
    places = {column.title for column in run.column_of_kind("place")}
    assert set(cause.expectation.places) <= places
    assert set(cause.functions.values()) <= places


@pytest.mark.skipif(os.path.exists("/proc/driver/nvidia"), reason="there is a GPU here")
def test_a_gpu_that_is_not_there_is_one_sentence_for_all_causes(tmp_path: Path) -> None:
    done = labkit("run", "all", "--steps", "2", "--device", "gpu", "--out", str(tmp_path))
    assert done.returncode == 1
    assert done.stdout.count("A GPU was asked for") + done.stdout.count("a GPU was asked for") == 1
