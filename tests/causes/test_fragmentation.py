"""Fragmentation on TensorFlow's real best-fit pool: growth, three controls, the stall, the map.

Tier: make test; what waits TensorFlow's ten seconds, and the switch to one block, is marked full.
What a notebook asserts, too, is marked full.
"""

from __future__ import annotations

from statistics import median
from types import SimpleNamespace

import numpy as np
import pytest

from labkit.bench.bench import Bench
from labkit.causes import fragmentation
from labkit.causes.fragmentation import check_allocator
from labkit.diagnosis import examine
from labkit.record import LabkitError, Run
from tests.causes.curves import assert_clock, assert_grows, assert_rests, play, rises, switched

STEPS = 620
FAST: dict[str, object] = {"pairs": 5, "layers": 10, "epoch": 10}  # the same holes in fewer steps
# A pair is two results: a fill and ten layers each.
OPS_A_STEP = 2 * 5 * (1 + 10)


def pool_event(run: Run) -> dict[str, float]:
    """Return the numbers of a run's first map."""
    detail = next(event.detail for event in run.events if event.kind == "memory_map")
    return {name: float(str(value)) for name, value in detail.items() if name != "map"}


def stalls(run: Run) -> list[tuple[int, float, bool]]:
    return [
        (event.step, float(str(event.detail["seconds"])), bool(event.detail["failed"]))
        for event in run.events
        if event.kind == "stall"
    ]


@pytest.mark.full
def test_steps_get_slower_with_the_holes_and_the_ops_do_not_get_more(bench: Bench) -> None:
    run = assert_grows(bench, "fragmentation", STEPS, **FAST)
    assert rises(run, "holes") == {0.0, 50.0}
    assert run.steps.column("stepped_over")[-1] == run.steps.column("holes")[-1]
    assert set(run.steps.column("ops_run")) == {OPS_A_STEP}
    assert stalls(run) == []


@pytest.mark.full
def test_as_much_kept_side_by_side_is_innocent_even_in_a_small_pool(bench: Bench) -> None:
    """The pool is the one in which the holes end in a failure: the bytes alone are innocent."""
    run = assert_rests(
        bench, "fragmentation", STEPS, still=("holes",), holes="off", memory_limit="128 MB", **FAST
    )
    assert run.steps.column("kept")[-1] == 10 * STEPS / 2
    assert stalls(run) == []


@pytest.mark.full
@pytest.mark.parametrize("toggles", [{"sizes": "fixed"}, {"allocator": "malloc"}])
def test_holes_that_are_filled_again_or_not_searched_are_innocent(
    bench: Bench, toggles: dict[str, str]
) -> None:
    run = assert_rests(bench, "fragmentation", STEPS, **toggles, **FAST)
    assert run.steps.column("holes")[-1] == 10 * STEPS / 2
    searched = "allocator" not in toggles
    passed = run.steps.column("stepped_over")
    assert (set(passed) == {0.0}) if searched else bool(np.isnan(passed).all())


@pytest.mark.full
def test_one_block_made_before_the_loop_leaves_no_holes_and_no_growth(bench: Bench) -> None:
    run = assert_rests(
        bench, "fragmentation", STEPS, still=("holes", "kept"), preallocate=True, **FAST
    )
    used = run.steps.column("tensor_bytes")
    assert used[-1] == used[1]


@pytest.mark.full
def test_switched_to_the_one_block_the_steps_are_cheap_again_at_once(bench: Bench) -> None:
    turn = (500, "preallocate", "on")
    run = switched(bench, "fragmentation", turn, more=500, memory_limit="256 MB", **FAST)
    grown, after = run.stretches()
    assert run.steps.column("holes")[-1] == 0
    running = run.steps.column("running_ops_seconds")
    expensive, cheap = (
        median(running[grown.end - 50 : grown.end]),
        median(running[after.start + 5 :]),
    )
    # Two ops more a pair to store the result, so this is not the time of a loop that never grew.
    assert_clock(cheap < 0.8 * expensive, cheap, expensive)


@pytest.mark.full
def test_a_second_thread_that_frees_cuts_the_wait_short(bench: Bench) -> None:
    run = play(bench, "fragmentation", 300, memory_limit="64 MB", rescuer=True, **FAST)
    step, seconds, failed = stalls(run)[0]
    whole = run.steps.seconds[step]
    assert not failed and 0.8 < seconds <= whole
    holes = run.steps.column("holes")
    assert holes[step] < holes[step - 1] > 0
    assert_clock(seconds < 5 and whole == pytest.approx(seconds, abs=0.5), seconds, whole)


@pytest.mark.full
def test_steps_that_wait_for_a_free_block_are_found_as_spikes(bench: Bench) -> None:
    sizes = {**FAST, "layers": 2}
    run = play(bench, "fragmentation", 1_000, memory_limit="64 MB", rescuer=True, **sizes)
    assert len(stalls(run)) >= 3
    said = examine(run)
    assert ("memory_limit", "spikes") in [(each.cause, each.kind) for each in said.findings]


@pytest.mark.full
def test_a_request_fails_with_half_of_the_pool_free_after_ten_seconds(bench: Bench) -> None:
    run = play(bench, "fragmentation", 400, completed=False, memory_limit="64 MB", **FAST)
    assert run.state.name == "failed"
    assert "No free block of the pool was large enough" in run.state.reason
    ((step, seconds, failed),) = stalls(run)
    assert failed and seconds > 9
    assert step == len(run.steps) > 100, "all steps before it are kept"
    pool = pool_event(run)
    assert pool["pool_bytes"] <= 64 << 20
    assert pool["in_use_bytes"] < 0.65 * pool["pool_bytes"]
    assert pool["largest_free_bytes"] < 32 * 1024
    # The allocator's own count of free blocks is the loop's count of holes, and of those that no
    # result fits into: not one is as large as what was asked for.
    assert pool["free_chunks"] == pytest.approx(run.steps.column("holes")[-1], rel=0.1)
    assert pool["free_chunks"] == pytest.approx(run.steps.column("stepped_over")[-1], rel=0.1)
    assert_clock(seconds < 20, seconds)


def test_what_lies_in_the_way_stays_in_the_way_until_it_is_dropped() -> None:
    """With holes off the old ones stay; of fixed size, those of its own size fit."""
    toggles = SimpleNamespace(
        holes=True, pairs="1", sizes="growing", preallocate=False, rescuer=False, allocator="bfc"
    )
    loop = fragmentation.make_step(toggles, layers=1, epoch=4)
    passed: list[float] = []

    def epoch(**changes: object) -> None:
        vars(toggles).update(changes)
        for _ in range(4):
            loop.step()
        passed.append(loop.counters["stepped_over"]())

    epoch()
    epoch(holes=False)
    epoch(holes=True, sizes="fixed")
    epoch(sizes="growing")
    epoch(preallocate=True)
    assert passed == [4, 4, 4, 12, 0]


def test_an_allocator_of_the_other_device_is_refused_in_one_sentence(bench: Bench) -> None:
    run = play(bench, "fragmentation", 10, completed=False, allocator="cuda_malloc_async", **FAST)
    assert run.state.name == "failed"
    assert "choose bfc or malloc, or run on the gpu device" in run.state.reason
    assert not run.state.traceback
    with pytest.raises(LabkitError, match="choose bfc or cuda_malloc_async"):
        check_allocator("malloc", on_gpu=True)


def test_memory_growth_on_the_processor_is_refused_in_one_sentence(bench: Bench) -> None:
    run = play(bench, "fragmentation", 10, completed=False, allocator="bfc_growing", **FAST)
    assert run.state.name == "failed" and "choose bfc or malloc" in run.state.reason
    assert not run.state.traceback


def test_every_allocator_of_the_device_is_let_pass() -> None:
    for name, on_gpu in (("bfc", False), ("bfc", True), ("malloc", False)):
        check_allocator(name, on_gpu=on_gpu)
    check_allocator("cuda_malloc_async", on_gpu=True)


def test_the_blocks_are_too_small_for_the_pool_of_the_default_allocator() -> None:
    """From 256 KiB on, malloc would be no control: the default CPU allocator pools those, too."""
    assert 4 * fragmentation.LONGEST < 256 * 1024
    assert fragmentation.SHORTEST.bit_length() == fragmentation.LONGEST.bit_length(), "one bin"
    assert 4 * fragmentation.LONGER == 256, "less is rounded up, and old holes would fit"


@pytest.mark.full
def test_as_declared_it_grows_too(bench: Bench) -> None:
    assert_grows(bench, "fragmentation")
