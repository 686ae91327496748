"""Garbage does what it declares: collections exact, pauses as shares. Tier: make test."""

from __future__ import annotations

import gc
from statistics import mean, median

import pytest

from labkit.bench.bench import Bench
from labkit.diagnosis import judgement
from labkit.record import Event, Run
from tests.causes.curves import assert_clock, play, returned, rises, switched

QUIET = {"collect_every": "never"}
# One block of 1 MB a circle; what else the process does in 300 steps is far below that.
MEGABYTE = 1_048_576


def full_collections(run: Run) -> list[Event]:
    """Return the marks of collections that looked at every object."""
    return [each for each in run.events if each.kind == "gc" and each.detail["generation"] == 2]


def paused(run: Run) -> float:
    """Return the seconds of the run's collections, as its own timers had them."""
    return sum(run.steps.column("garbage_collection_seconds"))


def mean_over_median(run: Run) -> float:
    times = run.steps.seconds[1:]  # the first step traces
    return mean(times) / median(times)


@pytest.mark.full
def test_each_tenth_step_is_a_full_collection_that_the_median_hides(bench: Bench) -> None:
    teeth = list(range(9, 100, 10))
    run = play(bench, "garbage", 100)
    assert [each.step for each in full_collections(run)] == teeth
    assert rises(run, "gc_collections") == {0.0, 1.0}
    times = run.steps.seconds
    assert_clock(mean_over_median(run) > 5, mean_over_median(run))
    assert_clock(paused(run) > 0.8 * sum(times[1:]), paused(run), sum(times[1:]))
    longest = sorted(sorted(range(1, 100), key=lambda step: times[step])[-len(teeth) :])
    label = judgement(run).verdict.label
    assert_clock(label == "spikes" and longest == teeth, label, longest)


def test_the_collector_looks_at_a_hundred_thousand_objects_and_more(bench: Bench) -> None:
    run = play(bench, "garbage", 5, **QUIET)
    assert run.steps.column("walked_objects")[-1] > 100_000


@pytest.mark.full
def test_frozen_objects_are_left_alone_until_they_are_released_again(bench: Bench) -> None:
    run = switched(bench, "garbage", (100, "freeze", "off"), more=60, freeze="on")
    frozen, released = run.stretches()
    walked = run.steps.column("walked_objects")
    assert max(walked[: frozen.end]) < 1_000
    assert walked[-1] > 100_000
    marks = full_collections(run)
    assert len(marks) >= 2
    assert all(each.step >= released.start for each in marks)


def test_with_frozen_objects_a_step_that_collects_is_like_any_other(bench: Bench) -> None:
    run = play(bench, "garbage", 150, freeze="on")
    assert rises(run, "gc_collections") == {0.0, 1.0}
    times = run.steps.seconds
    # In these 40 ms a busy machine makes teeth of its own, which a mean would not tell apart.
    teeth = median(times[9::10])
    between = median(times[index] for index in range(1, 150) if (index + 1) % 10)
    assert_clock(teeth < 1.5 * between, teeth, between)


def test_a_kept_history_makes_the_collector_start_by_itself(bench: Bench) -> None:
    run = play(bench, "garbage", 100, keep_history="on", **QUIET)
    assert rises(run, "history_dicts") == {2000.0}
    collections = run.steps.column("gc_collections")
    # Python 3.13 lets 2,000 new objects come together, and those before it 700.
    due = 99 * 2000 / gc.get_threshold()[0]
    assert collections[-1] - collections[0] > 0.9 * due
    assert len(full_collections(run)) >= 1
    assert all(each.detail["collected"] == 0 for each in full_collections(run)[1:])


def test_the_same_dicts_dropped_at_once_cause_no_collection(bench: Bench) -> None:
    run = play(bench, "garbage", 100, drop_history="on", **QUIET)
    assert rises(run, "history_dicts") == {0.0}
    assert rises(run, "made_dicts") == {2000.0}
    assert rises(run, "gc_collections") <= {0.0, 1.0}
    assert_clock(paused(run) < 0.1 * sum(run.steps.seconds), paused(run), sum(run.steps.seconds))


def test_a_disabled_collector_rests_whatever_the_history_does(bench: Bench) -> None:
    run = play(bench, "garbage", 60, keep_history="on", disable="on", **QUIET)
    assert rises(run, "gc_collections") == {0.0}
    assert rises(run, "history_dicts") == {2000.0}


def test_circles_hold_their_tensors_until_a_collection_gives_them_back(bench: Bench) -> None:
    run = play(bench, "garbage", 210, cycles="on", disable="on", collect_every="100")
    circles = run.steps.column("circles")
    assert list(circles[:99]) == list(range(1, 100))
    # The newest circle is still held by the step that makes it.
    assert circles[99] <= 1 and circles[199] <= 1
    memory = run.steps.column("resident_bytes")
    assert memory[98] - memory[0] > 90 * MEGABYTE
    # Given back to TensorFlow's allocator: the second hundred finds room in the first's place.
    assert memory[198] - memory[98] < 0.5 * (memory[98] - memory[0])


def test_without_circles_memory_rests(bench: Bench) -> None:
    run = play(bench, "garbage", 210, disable="on", **QUIET)
    assert rises(run, "circles") == {0.0}
    memory = run.steps.column("resident_bytes")
    assert memory[-1] - memory[20] < 10 * MEGABYTE


@pytest.mark.full
def test_in_a_small_pool_the_step_stalls_until_the_thread_collects(bench: Bench) -> None:
    run = play(bench, "garbage", 150, cycles="on", pool="on", rescuer="on", **QUIET)
    assert max(run.steps.column("circles")) * MEGABYTE < 96 * MEGABYTE
    rescued = [each.step for each in full_collections(run) if each.detail["collected"]]
    assert rescued
    times = run.steps.seconds
    assert_clock(max(times) > 20 * median(times), max(times), median(times))
    # The stall ends with the thread's collection, not by chance.
    longest = times.index(max(times))
    assert_clock(longest in rescued, longest, rescued)


@pytest.mark.full
def test_without_the_thread_the_pool_runs_out_and_the_reason_is_told(bench: Bench) -> None:
    """The wait is TensorFlow's own, ten seconds for each tensor it finds no room for."""
    run = play(bench, "garbage", 400, completed=False, cycles="on", pool="on", **QUIET)
    assert run.state.name == "failed"
    assert "ResourceExhaustedError" in run.state.reason and "circles" in run.state.reason
    assert len(run.steps) > 50


def test_the_loss_does_not_depend_on_the_collector() -> None:
    def losses(**toggles: object) -> list[float]:
        return returned("garbage", 4, {**QUIET, **toggles}, width=8)

    frozen = gc.get_freeze_count()  # Python 3.12 begins with some hundreds
    rested = losses()
    assert losses(collect_every="10", keep_history=True, cycles=True) == rested
    assert rested[0] > rested[-1] > 0
    assert gc.isenabled() and gc.get_freeze_count() <= frozen
