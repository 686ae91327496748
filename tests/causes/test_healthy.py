"""The healthy loop stays healthy: counters exact, and two runs of it are alike. Tier: make test."""

from __future__ import annotations

from statistics import median
from types import SimpleNamespace

import pytest

from labkit.bench.bench import Bench
from labkit.causes import load
from labkit.diagnosis import judgement
from tests.causes.curves import assert_clock, assert_rests, play, returned, rises

CAUSE = load("healthy")
STEPS = 300
STILL = ("slots", "graph_ops", "traces")


def test_nothing_rises_and_no_step_gets_slower(bench: Bench) -> None:
    run = assert_rests(bench, "healthy", STEPS, still=(*STILL, "losses"))
    # After the first step, which traces, each runs the same number of ops.
    assert len(set(run.steps.column("ops_run")[1:])) == 1


@pytest.mark.parametrize("control", ["keep_losses", "print_loss"])
def test_keeping_and_printing_losses_is_innocent(bench: Bench, control: str) -> None:
    run = assert_rests(bench, "healthy", STEPS, still=STILL, **{control: "on"})
    assert rises(run, "losses") == {1.0 if control == "keep_losses" else 0.0}


def test_the_verdict_on_500_steps_is_not_slower_and_its_ledger_empty(bench: Bench) -> None:
    judged = judgement(play(bench, "healthy"))
    assert_clock(not judged.verdict.slower, judged.verdict)
    assert judged.ledger.rows == ()


@pytest.mark.full
def test_two_runs_of_the_same_loop_are_alike(bench: Bench) -> None:
    runs = [play(bench, "healthy", 200) for _ in range(2)]
    assert [rises(run, "slots") for run in runs] == [{0.0}, {0.0}]
    one, other = (median(run.steps.seconds) for run in runs)
    assert_clock(max(one, other) < 1.5 * min(one, other), one, other)


def test_adam_keeps_two_slots_a_weight_and_never_more() -> None:
    loop = CAUSE.make_step(SimpleNamespace(keep_losses=False, print_loss=False), width=4)
    counts = []
    for _ in range(5):
        loop.step()
        counts.append(loop.counters["slots"]())
    # Two for each of four weights, the step number and the learning rate.
    assert counts == [10] * 5


def test_the_model_learns() -> None:
    losses = returned("healthy", 60, {}, width=16)
    assert losses[-1] < losses[0]


def test_the_same_seed_gives_the_same_losses() -> None:
    first, again = (returned("healthy", 1, {}, width=8) for _ in range(2))
    assert first == pytest.approx(again, rel=1e-5)
