"""The input pipeline does what it declares: records exact, waiting apart. Tier: make test, in turn.

What a notebook asserts, too, is marked full.
"""

from __future__ import annotations

import contextlib
import os
from itertools import accumulate
from statistics import median

import psutil
import pytest

from labkit.bench.bench import Bench
from labkit.causes import load
from labkit.causes.input_pipeline import BATCH
from labkit.record import Run
from tests.causes.curves import assert_clock, assert_grows, assert_rests, play, rises, switched
from tests.running import ended, stepped

pytestmark = pytest.mark.in_turn

CAUSE = load("input_pipeline")
SMALL = {"width": 256}


def made(run: Run) -> set[float]:
    return set(run.steps.column("records_made"))


def typical(run: Run, column: str = "seconds", start: int = 5) -> float:
    return median(run.steps.column(column)[start:])


@pytest.mark.full
def test_skipping_makes_one_batch_more_each_step_and_waits_longer_for_it(bench: Bench) -> None:
    run = assert_grows(bench, "input_pipeline", 60, **SMALL)
    assert rises(run, "records_made") == {CAUSE.expectation.per_step["records_made"]}
    assert set(run.steps.column("elements")) == {1.0}
    waiting = run.steps.column("data_waiting_seconds")
    late, early = median(waiting[-15:]), median(waiting[1:16])
    assert_clock(late > 2 * early, late, early)


def test_a_new_epoch_starts_at_the_bottom_again(bench: Bench) -> None:
    run = play(bench, "input_pipeline", 30, batches=10, **SMALL)
    assert list(run.steps.column("records_made")) == [BATCH * (n % 10 + 1) for n in range(30)]


@pytest.mark.parametrize("source", ["iterator", "rebuilt", "generator", "reread"])
def test_every_other_way_makes_one_batch_a_step_and_stays_flat(bench: Bench, source: str) -> None:
    run = assert_rests(bench, "input_pipeline", 40, still=("records_made",), source=source, **SMALL)
    assert made(run) == {BATCH}
    # What is opened anew at each step is paid for at each step, and only that.
    building = run.steps.column("input_building_seconds")[1:]
    assert (min(building) > 0) == (source in ("rebuilt", "reread"))
    assert (max(building) > 0) == (source in ("rebuilt", "reread"))


@pytest.mark.full
def test_switched_to_one_iterator_while_it_runs_the_waiting_is_gone(bench: Bench) -> None:
    run = switched(bench, "input_pipeline", (40, "source", "iterator"), more=160, **SMALL)
    before, after = run.stretches()
    assert set(run.steps.column("records_made")[after.start :]) == {BATCH}
    waiting = run.steps.column("data_waiting_seconds")
    long = median(waiting[before.end - 10 : before.end])
    short = median(waiting[after.start + 1 :])
    assert_clock(short < 0.2 * long, short, long)


def kept(bench: Bench, steps: int, **toggles: object) -> Run:
    return play(bench, "input_pipeline", steps, source="iterator", **toggles)


def test_a_producer_that_waits_makes_the_step_wait_and_not_compute(bench: Bench) -> None:
    run = kept(bench, 40, producer="waits", **SMALL)
    assert min(run.steps.column("data_waiting_seconds")[1:]) >= 0.010
    # It needs the processor for little of that: the rest of the time it is free for others.
    busy, whole = typical(run, "cpu_seconds"), typical(run)
    assert_clock(busy < 0.6 * whole, busy, whole)


@pytest.mark.full
def test_prefetching_hides_up_to_the_smaller_of_the_two_times(bench: Bench) -> None:
    plain, ahead = (kept(bench, 60, producer="waits", prefetch=p) for p in (False, True))
    # No more than one batch each 10 ms comes over one line, whoever works meanwhile.
    assert sum(ahead.steps.seconds[1:]) > 0.9 * 0.010 * 59
    saved = typical(plain) - typical(ahead)
    waiting = typical(plain, "data_waiting_seconds")
    smaller = min(waiting, typical(plain) - waiting)
    assert_clock(0.5 < saved / smaller < 1.6, saved, smaller)


def test_a_parallel_map_asks_for_two_batches_at_a_time(bench: Bench) -> None:
    runs = [
        kept(bench, 30, producer="waits", wait=20, parallel_map=p, **SMALL) for p in (False, True)
    ]
    records = [sum(run.steps.column("records_made")) for run in runs]
    assert records[0] == 30 * BATCH <= records[1]
    one, two = (sum(run.steps.seconds[1:]) for run in runs)
    assert_clock(two < 0.7 * one, two, one)


@pytest.mark.full
def test_on_one_core_work_cannot_be_hidden(bench: Bench) -> None:
    plain, ahead = (
        kept(bench, 60, producer="computes", cores="one", prefetch=p) for p in (False, True)
    )
    records = [sum(run.steps.column("records_made")) for run in (plain, ahead)]
    assert records[0] == 60 * BATCH <= records[1]
    work = [sum(each.steps.column("cpu_seconds")[5:]) for each in (plain, ahead)]
    # Prefetching moves the work to another thread and takes none of it away, so on one core the
    # steps can never get shorter than the work they had before.
    assert_clock(0.7 < work[1] / work[0] < 1.4, work)
    whole = sum(ahead.steps.seconds[5:])
    assert_clock(whole > 0.9 * work[0], whole, work)


def test_no_thread_keeps_a_second_core_not_even_one_from_before_the_loop(bench: Bench) -> None:
    """Seen on a graphics card, whose driver has threads before there is a loop."""
    session = bench.start("input_pipeline", toggles={"cores": "one"}, steps=100_000)
    stepped(session, 5)
    worker = psutil.Process(session.links[0].process_id)
    held = []
    for thread in worker.threads():
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            held.append(os.sched_getaffinity(thread.id))
    session.stop()
    ended(session)
    assert len(held) > 3 and all(cores == held[0] and len(cores) == 1 for cores in held)


def test_tf_datas_own_tuning_works_ahead_unasked_and_only_when_it_is_on(bench: Bench) -> None:
    alone, tuned = (kept(bench, 20, tuning=t, **SMALL) for t in (False, True))
    assert made(alone) == {BATCH}
    # How soon the thread that works ahead gets its turn is a matter of the machine; at the end of
    # a run it may have had none for a while.
    records = tuned.steps.column("records_made")
    ahead = [made - BATCH * taken for taken, made in enumerate(accumulate(records), start=1)]
    assert max(ahead) > 0, records
    assert_clock(max(records[:3]) > BATCH, records[:3])


def test_a_cache_pays_for_the_first_epoch_only(bench: Bench) -> None:
    run = kept(bench, 40, cache=True, producer="waits", batches=10, **SMALL)
    assert list(run.steps.column("records_made")) == [BATCH] * 10 + [0.0] * 30
    waiting = run.steps.column("data_waiting_seconds")
    assert min(waiting[1:10]) >= 0.010
    assert_clock(median(waiting[11:]) < 0.010, median(waiting[11:]))


def test_a_cache_is_no_cure_where_the_pipeline_is_built_anew(bench: Bench) -> None:
    run = play(bench, "input_pipeline", 20, cache=True, source="rebuilt", **SMALL)
    assert made(run) == {BATCH}


def test_a_shuffle_buffer_is_filled_once_an_epoch_and_makes_teeth(bench: Bench) -> None:
    run = kept(bench, 60, shuffle=True, batches=20, **SMALL)
    records = list(run.steps.column("records_made"))
    assert sum(records) == 60 * BATCH
    assert [step for step, each in enumerate(records) if each > 10 * BATCH] == [0, 20, 40]
    # Opened anew at each step, the whole buffer is filled for one batch.
    anew = play(bench, "input_pipeline", 8, shuffle=True, source="rebuilt", batches=20, **SMALL)
    assert made(anew) == {20 * BATCH}


def test_a_shuffle_buffer_takes_memory_for_what_it_holds_and_a_step_to_be_filled(
    bench: Bench,
) -> None:
    runs = [
        kept(bench, 10, shuffle=True, width=64, batches=2_000, buffer=held)
        for held in (100, 100_000)
    ]
    few, all_of_them = runs
    assert few.steps.column("records_made")[0] == 100 + BATCH - 1
    assert all_of_them.steps.column("records_made")[0] == 100_000
    # More than the records alone: each is a tensor of its own.
    assert all_of_them.memory_bytes[-1] - few.memory_bytes[-1] > 99_900 * 256
