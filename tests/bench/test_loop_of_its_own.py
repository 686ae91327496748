"""What a loop brings along: counters, functions, a folder, errors that belong to the lesson."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

import pytest

from labkit.bench.bench import Bench
from labkit.record import Run
from tests.causes.curves import assert_clock
from tests.running import ended

pytestmark = pytest.mark.in_turn

COUNTING = str(Path(__file__).with_name("counting_loop.py"))


def counted(bench: Bench, **toggles: object) -> Run:
    return ended(bench.start(COUNTING, toggles=toggles, steps=30)).snapshot()


def test_the_counters_of_a_loop_are_read_after_every_step(bench: Bench) -> None:
    run = counted(bench)
    assert list(run.steps.column("kept")) == [float(step) for step in range(1, 31)]
    assert set(run.steps.column("files")) == {1.0}


def test_a_function_of_the_loops_own_has_a_place_that_fills_the_step(bench: Bench) -> None:
    run = ended(bench.start(COUNTING, sizes={"width": 1_000}, steps=30)).snapshot()
    inside, whole = run.steps.column("add_up_seconds"), run.steps.seconds
    assert all(0 < part < step for part, step in zip(inside, whole, strict=True))
    assert "adding up" in [column.title for column in run.column_of_kind("place")]
    assert_clock(median(inside) > 0.5 * median(whole), median(inside), median(whole))


def test_a_full_collection_is_told_at_its_step_with_generation_and_pause(bench: Bench) -> None:
    run = counted(bench)
    full = [event for event in run.events if event.detail.get("generation") == 2]
    assert [event.step for event in full] == [5]
    told = float(str(full[0].detail["seconds"]))
    assert full[0].kind == "gc" and told > 0
    paused = run.steps.column("garbage_collection_seconds")
    assert_clock(
        paused[5] == max(paused) and 0.9 * told <= paused[5] < 5, told, paused[5], max(paused)
    )


def test_an_error_that_belongs_to_the_lesson_is_explained_and_keeps_its_steps(
    bench: Bench,
) -> None:
    run = counted(bench, ending="lesson")
    assert run.state.name == "failed" and len(run.steps) == 10
    assert run.state.reason == (
        "The loop raised RuntimeError: the lesson ends here. That is what was to be seen."
    )
    assert "the lesson ends here" in run.state.traceback


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
def test_a_full_disk_is_told_with_what_to_do(bench: Bench) -> None:
    run = counted(bench, ending="disk full")
    assert run.state.name == "failed" and len(run.steps) == 10
    assert "No space left" in run.state.reason and "set TMPDIR" in run.state.reason


def test_what_the_loop_writes_lies_in_a_folder_of_the_run_that_goes_with_it(bench: Bench) -> None:
    session = bench.start(COUNTING, steps=30)
    scratch = Path(session.job.scratch_path)
    made = Path(ended(session).snapshot().log.split()[-1])
    assert made.parent == scratch and "labkit-scratch-" in str(scratch)
    assert not scratch.parent.exists()


def test_a_toggle_may_ask_for_two_processes_joined_in_a_cluster(bench: Bench) -> None:
    session = bench.start(COUNTING, toggles={"pair": "on"}, steps=30)
    jobs = [link.job for link in session.links]
    run = ended(session).snapshot()
    assert len(run.steps) == 30 and [len(steps) for steps in run.others] == [30]
    clusters = [json.loads(job.environment["TF_CONFIG"]) for job in jobs]
    assert clusters[0]["cluster"] == clusters[1]["cluster"]
    assert [cluster["task"]["index"] for cluster in clusters] == [0, 1]
    assert len(set(clusters[0]["cluster"]["worker"])) == 2
    assert jobs[0].environment["LABKIT_TEST_DUMP"] == f"{jobs[0].scratch_path}/dump"
    assert jobs[0].scratch_path != jobs[1].scratch_path


@pytest.mark.parametrize(("small", "width"), [("one core", 10), ("", 50)])
def test_sizes_are_small_on_a_small_machine_alone_and_the_run_says_so(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, small: str, width: int
) -> None:
    monkeypatch.setattr("labkit.bench.bench.small_machine", lambda: small)
    run = counted(bench)
    assert run.settings["width"] == width and run.environment["fitted_to"] == (small or None)
    chosen = ended(bench.start(COUNTING, sizes={"width": 20}, steps=2)).snapshot()
    assert chosen.settings["width"] == 20
