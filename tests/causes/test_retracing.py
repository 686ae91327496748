"""Retracing does what it declares, on real TensorFlow.

Tier: make test, in turn; the growth of the unrolled loop is marked full.

Traces and comparisons are exact. "Expensive" and "slowing" are kept apart: the first is a level,
the second a growth.
"""

from __future__ import annotations

from statistics import median

import pytest

from labkit.bench.bench import Bench
from labkit.causes import load
from labkit.lab.verdicts import ledger
from tests.causes.curves import (
    assert_clock,
    assert_grows,
    assert_rests,
    play,
    returned,
    rises,
    switched,
)

pytestmark = pytest.mark.in_turn

CAUSE = load("retracing")


@pytest.mark.full
def test_a_bound_method_is_traced_at_every_step_and_searched_for_ever_longer(bench: Bench) -> None:
    run = assert_grows(bench, "retracing", 120)
    assert rises(run, "traces") == {CAUSE.expectation.per_step["traces"]}
    # Every search meets all earlier traces, and finding the next one of them meets those before it.
    comparisons = run.steps.column("comparisons")
    assert all(made >= step * (step - 1) / 2 for step, made in enumerate(comparisons))


def test_a_number_is_traced_at_every_step_and_searched_for_in_a_line(bench: Bench) -> None:
    run = assert_rests(bench, "retracing", 80, below=2, argument="int")
    assert rises(run, "traces") == {1.0}
    assert list(run.steps.column("comparisons")) == list(range(80))


def test_a_number_is_expensive_beside_a_tensor(bench: Bench) -> None:
    runs = [play(bench, "retracing", 60, argument=each) for each in ("int", "tensor")]
    assert [rises(run, "traces") for run in runs] == [{1.0}, {0.0}]
    number, tensor = (median(run.steps.seconds[20:]) for run in runs)
    assert_clock(number > 8 * tensor, number, tensor)


def test_a_new_object_is_traced_at_every_step(bench: Bench) -> None:
    assert rises(play(bench, "retracing", 40, argument="object"), "traces") == {1.0}


@pytest.mark.parametrize("argument", ["tensor", "same_object"])
def test_a_tensor_of_any_value_and_one_object_for_all_steps_are_innocent(
    bench: Bench, argument: str
) -> None:
    run = assert_rests(bench, "retracing", 150, still=("traces",), argument=argument)
    assert run.steps.column("traces")[-1] == 1
    assert len(set(run.steps.column("comparisons")[5:])) == 1


@pytest.mark.full
def test_a_function_made_anew_is_expensive_and_does_not_slow_down(bench: Bench) -> None:
    run = assert_rests(bench, "retracing", 80, still=("comparisons",), new_function="on")
    assert rises(run, "traces") == {1.0}


@pytest.mark.parametrize(
    ("shapes", "traces"),
    [
        ("fixed", 1),
        ("last_partial", 2),
        ("varying", 50),
        ("reduce_retracing", 2),
        ("input_signature", 1),
    ],
)
def test_shapes_cost_the_traces_they_should(bench: Bench, shapes: str, traces: int) -> None:
    run = play(bench, "retracing", 50, argument="tensor", shapes=shapes)
    assert run.steps.column("traces")[-1] == traces
    told = [event for event in run.events if event.kind == "trace"]
    assert len(told) == traces
    assert told[0].text == "traced train, trace 1"


@pytest.mark.parametrize(("shapes", "traces"), [("reduce_retracing", 2), ("input_signature", 1)])
def test_xla_compiles_each_shape_anew_where_one_trace_serves_them_all(
    bench: Bench, shapes: str, traces: int
) -> None:
    run = play(bench, "retracing", 30, argument="tensor", shapes=shapes, xla="on")
    assert run.steps.column("traces")[-1] == traces
    assert rises(run, "compilations") == {1.0}
    usual = play(bench, "retracing", 30, argument="tensor", shapes=shapes)
    assert set(usual.steps.column("compilations")) == {0.0}
    with_xla, without = (median(each.steps.seconds[10:]) for each in (run, usual))
    assert_clock(with_xla > 10 * without, with_xla, without)


def test_xla_compiles_once_for_one_shape(bench: Bench) -> None:
    run = play(bench, "retracing", 30, argument="tensor", xla="on")
    assert set(run.steps.column("compilations")) == {1.0}


def test_an_input_signature_makes_a_number_a_tensor(bench: Bench) -> None:
    run = play(bench, "retracing", 30, argument="int", shapes="input_signature")
    assert run.steps.column("traces")[-1] == 1


def test_an_input_signature_refuses_a_method_and_says_why(bench: Bench) -> None:
    run = play(bench, "retracing", 30, shapes="input_signature", completed=False)
    assert run.state.name == "failed"
    assert "TypeError" in run.state.reason
    assert "takes tensors only" in run.state.reason


@pytest.mark.full
def test_an_unrolled_loop_is_traced_anew_and_larger_each_time(bench: Bench) -> None:
    run = assert_grows(bench, "retracing", 50, argument="tensor", loop="unrolled")
    assert rises(run, "traces") == {1.0}


def test_a_tensor_loop_of_fixed_length_is_innocent(bench: Bench) -> None:
    assert_rests(
        bench, "retracing", 150, still=("traces",), argument="tensor", loop="tensor_fixed"
    )  # fmt: skip


def test_a_tensor_loop_that_grows_is_slower_and_only_because_it_does_more(bench: Bench) -> None:
    run = assert_grows(bench, "retracing", 250, argument="tensor", loop="tensor_growing")
    assert rises(run, "traces") == {0.0}
    row = ledger(run).rows[0]
    assert_clock(row.place == "function run", row)


@pytest.mark.full
def test_switched_to_a_tensor_the_steps_are_cheap_at_once(bench: Bench) -> None:
    run = switched(bench, "retracing", (60, "argument", "tensor"), more=240)
    slow, after = run.stretches()
    # The first call with a tensor is a trace, the last one.
    assert set(run.steps.column("traces")[after.start :]) == {after.start + 1}
    times = run.steps.seconds
    expensive, cheap = median(times[slow.end - 10 : slow.end]), median(times[after.start + 1 :])
    assert_clock(cheap < expensive / 5, cheap, expensive)


@pytest.mark.full
@pytest.mark.parametrize("loop", ["unrolled", "tensor_growing"])
def test_the_loss_is_the_same_however_the_rate_goes_in(loop: str) -> None:
    def losses(**toggles: object) -> list[float]:
        return returned("retracing", 3, {"loop": loop, **toggles}, size=8)

    expected = losses(argument="tensor")
    assert losses(argument="int") == pytest.approx(expected)
    assert losses(argument="object") == pytest.approx(expected)
    assert losses(argument="tensor", new_function=True) == pytest.approx(expected)
    assert losses(argument="tensor", xla=True) == pytest.approx(expected, rel=1e-4)
    once = losses(argument="same_object")
    assert losses(argument="bound_method") == pytest.approx(once)
    assert once[0] > 0
