"""Graph growth does what it declares, on real TensorFlow: ops exact, growth and rest as ratios.

Tier: make test, in turn; of the lines that build in the loop, all but the saver are marked full.
"""

from __future__ import annotations

from statistics import median

import pytest

from labkit.bench.bench import Bench
from labkit.causes import load
from labkit.diagnosis import judgement
from labkit.lab.verdicts import ledger
from labkit.record import Run
from tests.causes.curves import (
    assert_clock,
    assert_grows,
    assert_rests,
    play,
    ratio,
    returned,
    rises,
    switched,
)
from tests.running import ended, stepped

pytestmark = pytest.mark.in_turn

CAUSE = load("graph_growth")
STEPS = 150
# Enough for twice the declared growth; a chained step computes all that was added before it.
GROWING_STEPS = {"off": 240, "on": 60}
# What adds ops without a layer being built: ops per step, steps, and a floor far under the ratio
# that so many steps show.
IN_LOOP = {
    "saver_in_loop": (15, 150, 1.8),
    "assign_in_loop": (3, 400, 1.25),
    "constant_in_loop": (2, 400, 1.1),
}


@pytest.mark.parametrize("chain", GROWING_STEPS)
def test_every_step_adds_exactly_the_declared_ops_and_steps_get_slower(
    bench: Bench, chain: str
) -> None:
    run = assert_grows(bench, "graph_growth", GROWING_STEPS[chain], grow="on", chain=chain)
    assert rises(run, "graph_ops") == {CAUSE.expectation.per_step["graph_ops"]}


@pytest.mark.parametrize("toggles", [{"grow": "off"}, {"build_once": "on"}])
def test_without_growth_ops_and_step_times_rest(bench: Bench, toggles: dict[str, str]) -> None:
    assert_rests(bench, "graph_growth", STEPS, still=("graph_ops",), **toggles)


@pytest.mark.parametrize(
    ("name", "ops", "steps", "floor"),
    [
        pytest.param(name, *rest, marks=[] if name == "saver_in_loop" else pytest.mark.full)
        for name, rest in IN_LOOP.items()
    ],
)
def test_a_line_that_builds_in_the_loop_slows_every_step(
    bench: Bench, name: str, ops: int, steps: int, floor: float
) -> None:
    run = play(bench, "graph_growth", steps, grow="off", size=64, **{name: "on"})
    assert rises(run, "graph_ops") == {float(ops)}
    main, went = judgement(run).verdict, ledger(run)
    assert_clock(main.slower and ratio(run) > floor, main.label, ratio(run))
    assert_clock(went.explained > 0.9, went.explained)
    assert_clock(went.rows[0].place in CAUSE.expectation.places, went.rows[0])


@pytest.mark.parametrize("name", IN_LOOP)
def test_built_once_the_same_line_adds_nothing(bench: Bench, name: str) -> None:
    run = play(bench, "graph_growth", 20, build_once="on", **{name: "on"})
    assert rises(run, "graph_ops") == {0.0}


@pytest.mark.parametrize("name", ["grow", *IN_LOOP])
def test_a_finalized_graph_refuses_the_op_and_the_run_says_why(bench: Bench, name: str) -> None:
    toggles = {"grow": "off", **{name: "on"}}
    session = stepped(bench.start("graph_growth", steps=100_000, toggles=toggles), 20)
    session.set("finalize", "on")
    run = ended(session).snapshot()
    assert run.state.name == "failed" and len(run.steps) >= 20
    reason = run.state.reason
    assert reason.startswith("The loop raised RuntimeError: Graph is finalized and cannot be mod")
    assert reason.endswith(CAUSE.explanations[0].sentence)
    assert "labkit/causes/graph_growth.py" in run.state.traceback.replace("\\", "/")


@pytest.mark.parametrize("toggles", [{"grow": "off"}, {"build_once": "on"}])
def test_a_healthy_loop_does_not_feel_that_its_graph_is_finalized(
    bench: Bench, toggles: dict[str, str]
) -> None:
    assert_rests(bench, "graph_growth", STEPS, finalize="on", still=("graph_ops",), **toggles)


def test_chaining_alone_without_growth_is_innocent(bench: Bench) -> None:
    assert_rests(bench, "graph_growth", STEPS, still=("graph_ops",), grow="off", chain="on")


def switched_off(bench: Bench, at: int, more: int, **toggles: str) -> tuple[float, float, Run]:
    """Return the level just before ``grow`` is switched off, the level after, and the run."""
    run = switched(bench, "graph_growth", (at, "grow", "off"), more=more, **toggles)
    grown, after = run.stretches()
    times = run.steps.seconds
    before = median(times[grown.end - 30 : grown.end])
    return before, median(times[after.start : after.end]), run


@pytest.mark.full
def test_switched_off_independent_ops_stop_costing_at_once(bench: Bench) -> None:
    before, after, run = switched_off(bench, 200, 200)
    assert rises(run, "graph_ops") == {0.0, 6.0}
    assert_clock(after < 0.2 * before, after, before)


@pytest.mark.full
def test_switched_off_chained_ops_stay_expensive_because_all_are_computed(bench: Bench) -> None:
    before, after, run = switched_off(bench, 60, 40, chain="on")
    stretch = run.stretches()[1]
    after_it = run.steps[stretch.start + 1 : stretch.end]
    assert set(after_it.column("graph_ops")) == {run.steps.column("graph_ops")[-1]}
    in_run = sum(after_it.column("session_run_seconds")) / sum(after_it.seconds)
    assert_clock(after > 0.2 * before, after, before)
    assert_clock(in_run > 0.9, in_run)


def test_the_loss_is_the_same_whichever_way_the_graph_is_built() -> None:
    def losses(**toggles: bool) -> list[float]:
        off = {toggle.name: False for toggle in CAUSE.toggles if not toggle.ordered}
        return returned("graph_growth", 4, {**off, **toggles}, size=16)

    built_once = losses(build_once=True)
    assert losses() == pytest.approx(built_once, rel=1e-5)
    for name in ("grow", *IN_LOOP, "finalize"):
        assert losses(**{name: True}) == pytest.approx(built_once, rel=1e-5), name
    assert built_once[0] > 0
