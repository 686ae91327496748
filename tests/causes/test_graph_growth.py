"""Graph growth does what it declares, on real TensorFlow: ops exact, growth and rest as ratios."""

from __future__ import annotations

from statistics import median

import pytest

from labkit.bench.bench import Bench
from labkit.causes import load
from labkit.record import Run
from tests.causes.curves import assert_grows, assert_rests, rises
from tests.running import ended, stepped

CAUSE = load("graph_growth")
STEPS = 150


@pytest.mark.parametrize("chain", ["off", "on"])
def test_every_step_adds_exactly_the_declared_ops_and_steps_get_slower(
    bench: Bench, chain: str
) -> None:
    run = assert_grows(bench, "graph_growth", STEPS, grow="on", chain=chain)
    assert rises(run, "graph_ops") == {CAUSE.expectation.per_step["graph_ops"]}


@pytest.mark.parametrize("toggles", [{"grow": "off"}, {"build_once": "on"}])
def test_without_growth_ops_and_step_times_rest(bench: Bench, toggles: dict[str, str]) -> None:
    assert_rests(bench, "graph_growth", STEPS, still=("graph_ops",), **toggles)


def test_chaining_alone_without_growth_is_innocent(bench: Bench) -> None:
    assert_rests(bench, "graph_growth", STEPS, still=("graph_ops",), grow="off", chain="on")


def switched_off(bench: Bench, steps: int, at: int, **toggles: str) -> tuple[float, float, Run]:
    """Return the level just before ``grow`` is switched off, the level after, and the run."""
    session = stepped(bench.start("graph_growth", toggles=toggles, steps=steps), at)
    session.set("grow", "off")
    run = ended(session).snapshot()
    grown, after = run.stretches()
    times = run.steps.seconds
    before = median(times[grown.end - 30 : grown.end])
    return before, median(times[after.start : after.end]), run


def test_switched_off_independent_ops_stop_costing_at_once(bench: Bench) -> None:
    before, after, run = switched_off(bench, 400, 200)
    assert after < 0.2 * before
    assert rises(run, "graph_ops") == {0.0, 6.0}


def test_switched_off_chained_ops_stay_dear_because_all_are_computed(bench: Bench) -> None:
    before, after, run = switched_off(bench, 220, 150, chain="on")
    assert after > 0.2 * before
    stretch = run.stretches()[1]
    after_it = run.steps[stretch.start + 1 : stretch.end]
    assert set(after_it.column("graph_ops")) == {run.steps.column("graph_ops")[-1]}
    in_run = sum(after_it.column("session_run_seconds")) / sum(after_it.seconds)
    assert in_run > 0.9


def test_the_loss_is_the_same_whichever_way_the_graph_is_built() -> None:
    from types import SimpleNamespace

    def losses(**toggles: bool) -> list[float]:
        switches = SimpleNamespace(
            **{"grow": False, "chain": False, "build_once": False, **toggles}
        )
        step = CAUSE.make_step(switches, size=16, seed=3)
        return [float(step()) for _ in range(4)]

    built_once = losses(build_once=True)
    assert losses(grow=True) == pytest.approx(built_once, rel=1e-5)
    assert losses() == pytest.approx(built_once, rel=1e-5)
    assert built_once[0] > 0
