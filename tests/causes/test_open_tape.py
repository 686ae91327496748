"""The open tape does what it declares, on real TensorFlow.

How many ops a gradient goes back through is exact; memory is compared between runs alike.
Tier: make test; the old way with a graph, and what stop_recording saves, are marked full.
What a notebook asserts, too, is marked full.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from statistics import median
from types import SimpleNamespace

import pytest

from labkit.bench.bench import Bench
from labkit.causes import load
from labkit.lab.verdicts import ledger
from labkit.record import Run
from tests.causes.curves import assert_clock, assert_grows, assert_rests, play, rises, switched

CAUSE = load("open_tape")
STEPS = 80


def memory_growth(run: Run) -> float:
    """Return by how many bytes the resident memory grew after the first ten steps."""
    held = run.steps.column("resident_bytes")
    return held[-1] - held[10]


@pytest.mark.parametrize(
    ("hold", "ops"),
    [
        (CAUSE.toggle("hold").default, CAUSE.expectation.per_step["gradient_ops"]),
        ("stop_recording", 5),
        ("state_carried", 3),
    ],
)
def test_each_gradient_goes_back_through_so_many_more_ops_and_takes_longer(
    bench: Bench, hold: str, ops: float
) -> None:
    run = assert_grows(bench, "open_tape", STEPS, hold=hold)
    assert rises(run, "gradient_ops") == {ops}
    row = ledger(run).rows[0]
    assert_clock(row.place == "gradients", row)


@pytest.mark.parametrize("persistent", ["off", "on"])
@pytest.mark.parametrize("hold", ["per_step", "reentered"])
def test_persistent_is_innocent(bench: Bench, hold: str, persistent: str) -> None:
    run = assert_rests(
        bench, "open_tape", 150, still=("gradient_ops",), hold=hold, persistent=persistent
    )
    assert run.steps.column("gradient_ops")[-1] == 4


@pytest.mark.full
def test_an_open_tape_keeps_its_memory_and_a_tape_a_step_does_not(bench: Bench) -> None:
    grown = memory_growth(play(bench, "open_tape", STEPS))
    rested = memory_growth(play(bench, "open_tape", STEPS, hold="per_step"))
    # Some 2 kB for each op of each way back: 5 * (1 + 2 + ... + STEPS) of them.
    assert grown > 15e6
    assert rested < grown / 5


@pytest.mark.full
def test_stop_recording_saves_the_memory_and_not_the_time(bench: Bench) -> None:
    recorded, stopped = (
        play(bench, "open_tape", STEPS, hold=hold)
        for hold in ("open_accumulated", "stop_recording")
    )
    assert memory_growth(stopped) < memory_growth(recorded) / 2
    ops = "gradient_ops"
    assert list(stopped.steps.column(ops)) == list(recorded.steps.column(ops))


def test_without_persistent_the_second_gradient_is_refused_and_explained(bench: Bench) -> None:
    run = play(bench, "open_tape", 20, persistent="off", completed=False)
    assert run.state.name == "failed"
    assert len(run.steps) == 1
    assert "RuntimeError" in run.state.reason
    assert "make a new tape for each step" in run.state.reason


@pytest.mark.full
def test_gradients_added_to_a_graph_at_each_step_make_it_grow(bench: Bench) -> None:
    run = assert_grows(bench, "open_tape", 240, tf1_gradients="on")
    assert rises(run, "gradient_ops") == {0.0}
    (added,) = rises(run, "graph_ops")
    assert added > 0
    slower = {row.place for row in ledger(run).rows if row.seconds > 0}
    assert_clock("gradients" in slower, slower)


@pytest.mark.full
def test_switched_to_a_tape_a_step_the_steps_are_cheap_at_once(bench: Bench) -> None:
    run = switched(bench, "open_tape", (60, "hold", "per_step"), more=240)
    slow, after = run.stretches()
    assert set(run.steps.column("gradient_ops")[after.start :]) == {4.0}
    times = run.steps.seconds
    expensive, cheap = median(times[slow.end - 10 : slow.end]), median(times[after.start + 1 :])
    assert_clock(cheap < expensive / 5, cheap, expensive)


@pytest.mark.parametrize("hold", ["reentered", "open_accumulated", "stop_recording", "tf1"])
def test_the_first_gradient_is_the_same_whichever_tape_gives_it(hold: str) -> None:
    import numpy as np

    def first(hold: str) -> np.ndarray:
        # A tape stays open in the thread that opened it, and keeps whatever that does from then on:
        # later tests of this process were said to leak 31 tensors per step.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(gradient, hold).result()

    def gradient(hold: str) -> np.ndarray:
        switches = SimpleNamespace(
            hold=hold, layers="1", persistent=True, tf1_gradients=hold == "tf1"
        )
        step = CAUSE.make_step(switches, size=4, seed=3)
        assert callable(step)
        return np.asarray(step())

    assert first(hold) == pytest.approx(first("per_step"), rel=1e-4)
    assert np.abs(first(hold)).max() > 0
