"""The memory limit: the one loop that gets slower, exactly at its budget, and those that just end.

Tier: make test; what waits ten seconds, or for chance, is marked full.
"""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from labkit.bench.bench import Bench
from labkit.cause import paged_memory
from labkit.diagnosis import judgement
from labkit.record import LabkitError, Run
from tests.causes.curves import assert_clock, assert_grows, assert_rests, play, ratio, rises

BUDGET = 300
FAST: dict[str, object] = {"every": 1}
STEPS = 1_200


def test_where_the_system_sets_no_limit_the_lab_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As on macOS."""
    monkeypatch.setattr(paged_memory, "PAGES_FILE", tmp_path / "none")
    with pytest.raises(LabkitError, match="holds no single process to a limit of memory"):
        paged_memory.leave_room(1 << 30)


def stalls(run: Run) -> list[tuple[int, float]]:
    return [
        (event.step, float(str(event.detail["seconds"])))
        for event in run.events
        if event.kind == "stall"
    ]


def test_steps_are_flat_up_to_the_budget_and_climb_from_exactly_there(bench: Bench) -> None:
    run = assert_grows(bench, "memory_limit", STEPS, **FAST)
    assert rises(run, "held") == {0.0, 1.0}
    faults = run.steps.column("disk_faults")
    # Nothing was put back before the budget was passed, so nothing had to be fetched.
    assert faults[BUDGET - 5] - faults[0] < 20 < 200 < faults[-1] - faults[BUDGET]
    resident = run.steps.column("resident_bytes")
    at_budget = resident[BUDGET + 5]
    assert at_budget - resident[0] > 0.7 * BUDGET * 64 * 1024
    assert max(resident[BUDGET + 5 :]) - at_budget < 0.3 * BUDGET * 64 * 1024
    onset = judgement(run).verdict.onset_step
    assert_clock(onset is not None and BUDGET <= onset < 1.3 * BUDGET, onset)


@pytest.mark.parametrize("toggles", [{"bounded": True}, {"keep": False}])
def test_within_the_budget_nothing_is_fetched_and_steps_rest(
    bench: Bench, toggles: dict[str, object]
) -> None:
    run = assert_rests(bench, "memory_limit", 2 * BUDGET, **toggles, **FAST)
    assert run.steps.column("disk_faults")[-1] - run.steps.column("disk_faults")[0] < 20


@pytest.mark.full
def test_a_thread_that_frees_turns_each_end_into_a_pause(bench: Bench) -> None:
    run = play(bench, "memory_limit", 100, what="tensors", rescuer=True)
    ((step, seconds),) = stalls(run)
    assert 50 < step < 65, "128 MB are 64 tensors of 2 MB"
    assert seconds > 0.8 and run.steps.seconds[step] > 0.8
    used = run.steps.column("tensor_bytes")
    assert used[step - 1] > 100e6
    # The step goes on as soon as there is room for one more, while the thread still frees the rest.
    assert_clock(min(used[step : step + 5]) < 40e6, used[step : step + 5])
    assert_clock(seconds < 6, seconds)


@pytest.mark.full
def test_garbage_fills_the_pool_of_a_loop_that_keeps_nothing(bench: Bench) -> None:
    run = play(bench, "memory_limit", 400, what="cycles", rescuer=True)
    # When Python collects by itself is chance; in 400 steps of 2 MB it comes too late for some.
    assert stalls(run)
    assert set(run.steps.column("held")) == {0.0}
    assert max(run.steps.column("tensor_bytes")) > 100e6


@pytest.mark.parametrize("what", ["tensors", "numpy", "cycles"])
def test_holding_the_newest_only_never_reaches_the_limit(bench: Bench, what: str) -> None:
    run = play(bench, "memory_limit", 300, what=what, bounded=True)
    assert stalls(run) == []
    assert max(run.steps.column("held")) <= 16
    assert run.steps.column("resident_bytes")[-1] - run.steps.column("resident_bytes")[20] < 60e6


@pytest.mark.full
def test_numpy_ends_at_once_with_a_memory_error_and_no_step_before_it_was_slower(
    bench: Bench,
) -> None:
    run = play(bench, "memory_limit", 1_000, completed=False, what="numpy", rescuer=True)
    assert run.state.name == "failed"
    assert "MemoryError" in run.state.reason and "The limit was reached" in run.state.reason
    assert 20 < len(run.steps) < 400
    assert stalls(run) == []
    assert_clock(ratio(run) < 2, ratio(run))


def test_tensors_under_256_kib_end_without_a_wait_one_way_or_the_other(bench: Bench) -> None:
    run = play(
        bench, "memory_limit", 1_000, completed=False, what="small_tensors", pool=False, room=160
    )
    # Which small request of which part of TensorFlow is the first to fail is chance.
    assert run.state.name in ("failed", "killed")
    if run.state.name == "failed":
        assert "ResourceExhausted" in run.state.reason or "MemoryError" in run.state.reason
    assert len(run.steps) > 20
    assert stalls(run) == []


def test_without_swap_space_that_is_said_in_one_sentence(bench: Bench) -> None:
    if psutil.swap_memory().free > 100e6:
        assert_grows(bench, "memory_limit", STEPS, what="swap", **FAST)
        return
    run = play(bench, "memory_limit", 10, completed=False, what="swap")
    assert run.state.name == "failed" and not run.state.traceback
    assert "79 MB of swap space" in run.state.reason and "mapped_file" in run.state.reason


@pytest.mark.full
@pytest.mark.parametrize("pool", [True, False])
def test_large_tensors_wait_ten_seconds_and_fail(bench: Bench, pool: bool) -> None:
    run = play(bench, "memory_limit", 1_000, completed=False, what="tensors", pool=pool)
    assert run.state.name == "failed" and "ResourceExhausted" in run.state.reason
    ((step, seconds),) = stalls(run)
    assert step == len(run.steps) and seconds > 9
    assert_clock(seconds < 20, seconds)


@pytest.mark.full
def test_the_default_allocator_lets_no_thread_help(bench: Bench) -> None:
    """It holds its lock while it waits, so the rescuer stands still until it has given up."""
    run = play(
        bench, "memory_limit", 1_000, completed=False, what="tensors", pool=False, rescuer=True
    )
    assert run.state.name == "failed"
    ((_, seconds),) = stalls(run)
    assert seconds > 9


@pytest.mark.full
def test_a_constant_ends_the_process(bench: Bench) -> None:
    run = play(bench, "memory_limit", 1_000, completed=False, what="constants")
    assert run.state.name in ("killed", "failed")
    assert len(run.steps) > 20


@pytest.mark.full
def test_as_declared_it_grows_too(bench: Bench) -> None:
    assert_grows(bench, "memory_limit")
