"""The history does what it declares: examples exact, growth and rest as ratios, ops at rest.

Tier: make test; of the five ways to go through a history two are marked full.
"""

from __future__ import annotations

from statistics import median

import pytest

from labkit.bench.bench import Bench
from labkit.causes import load
from labkit.lab.verdicts import ledger
from tests.causes.curves import (
    assert_clock,
    assert_flat,
    assert_grows,
    kept_a_step,
    returned,
    rises,
    switched,
)

CAUSE = load("history")
STEPS = {"mean_of_all": 600, "stack": 200, "concat": 600, "append": 900, "deque_index": 1200}
PLACES = {
    "mean_of_all": "averaging the history",
    "stack": "stacking the history",
    "concat": "joining tensors",
    "append": "copying the array",
    "deque_index": "looking up old entries",
}


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(how, marks=pytest.mark.full if how in ("append", "deque_index") else [])
        for how in STEPS
    ],
)
def test_going_through_the_history_grows_on_its_own_place_and_adds_no_op(
    bench: Bench, how: str
) -> None:
    run = assert_grows(bench, "history", STEPS[how], how=how)
    assert rises(run, "kept_rows") == {CAUSE.expectation.per_step["kept_rows"]}
    assert rises(run, "ops_run") == {0.0}
    if (
        how == "stack"
    ):  # its losses are 1 kB per step, and TensorFlow keeps a kernel for each length
        assert kept_a_step(run) > 100_000
    row = ledger(run).rows[0]
    assert_clock(row.place == PLACES[how], row)


def test_a_list_that_is_only_appended_to_grows_as_fast_and_costs_nothing(bench: Bench) -> None:
    rising = {"kept_rows": CAUSE.expectation.per_step["kept_rows"], "ops_run": 0.0}
    run = assert_flat(bench, "history", 600, rising=rising, how="appended")
    assert kept_a_step(run) < 50_000


@pytest.mark.parametrize("fix", ["ring_buffer", "running_mean"])
def test_with_the_fix_history_ops_and_step_times_rest(bench: Bench, fix: str) -> None:
    assert_flat(bench, "history", 600, rising={"kept_rows": 0.0, "ops_run": 0.0}, fix=fix)


@pytest.mark.full
def test_a_history_no_longer_read_stops_costing_at_once_while_it_still_grows(bench: Bench) -> None:
    run = switched(bench, "history", (600, "how", "appended"), more=300)
    grown, after = run.stretches()
    assert rises(run, "kept_rows") == {CAUSE.expectation.per_step["kept_rows"]}
    times = run.steps.seconds
    expensive = median(times[grown.end - 30 : grown.end])
    cheap = median(times[after.start : after.end])
    assert_clock(cheap < 0.4 * expensive, cheap, expensive)


def test_the_mean_of_all_losses_is_the_same_whichever_way_it_is_kept() -> None:
    def means(**toggles: str) -> list[float]:
        return returned("history", 4, {"how": "appended", **toggles}, batch=8)

    wanted = means(how="mean_of_all")
    assert wanted[0] > wanted[-1] > 0
    for toggles in ({"how": "stack"}, {"fix": "running_mean"}, {"fix": "ring_buffer"}):
        assert means(**toggles) == pytest.approx(wanted, rel=1e-5), toggles
