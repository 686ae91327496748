"""Whether a run did what its cause declares: found where it did not, quiet where it did."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from labkit.cause import Expectation
from labkit.diagnosis import judgement
from labkit.diagnosis.expected import fifths_ratio, missed
from labkit.record import Column, Event, Run, State, Steps

RAMP = Expectation(
    "ramp", steps=200, growth=0.5, per_step={"ops": 3}, places=("building",)
)  # fmt: skip
FLAT = Expectation("flat", steps=200, growth=0.0)
COLUMNS = (
    Column("ops", "ops", "ops", "counter"),
    Column("building_seconds", "building", "s", "place"),
    Column("other_seconds", "something else", "s", "place"),
)


def run_of(
    *,
    growth: float = 0.0,
    ops: float = 3.0,
    share: float = 1.0,
    other: float = 0.0,
    steps: int = 200,
) -> Run:
    """A run of 10 ms steps whose growth sits at the two places by these shares."""
    random = np.random.default_rng(5)
    grown = 0.01 * growth * np.linspace(0, 1, steps)
    seconds = 0.01 + grown + random.normal(0, 1e-5, steps)
    return Run(
        "mine", "Mine", State("done"), COLUMNS,
        Steps({
            "start_seconds": list(np.cumsum(seconds)), "seconds": list(seconds),
            "ops": list(ops * np.arange(steps, dtype=float)),
            "building_seconds": list(0.001 + share * grown),
            "other_seconds": list(0.001 + other * grown),
        }),
    )  # fmt: skip


def short(expectation: Expectation, run: Run) -> str:
    return "; ".join(missed(expectation, run, judgement(run)))


def test_a_run_that_does_what_is_declared_misses_nothing() -> None:
    assert short(RAMP, run_of(growth=2.0)) == ""


def test_a_flat_run_misses_nothing_where_flat_is_declared() -> None:
    assert short(FLAT, run_of()) == ""


def test_a_flat_run_misses_a_ramp() -> None:
    assert "verdict flat" in short(RAMP, run_of()) and "1.00x" in short(RAMP, run_of())


def test_a_ramp_misses_where_flat_is_declared() -> None:
    assert short(FLAT, run_of(growth=2.0)) == "verdict slowdown"


def test_a_counter_that_rises_otherwise_is_named_with_both_numbers() -> None:
    assert short(RAMP, run_of(growth=2.0, ops=4.0)) == "ops rose by 4 per step, not by 3"


def test_a_counter_that_was_not_recorded_is_missed() -> None:
    gone = replace(RAMP, per_step={"traces": 1})
    assert short(gone, run_of(growth=2.0)) == "traces rose by nothing per step, not by 1"


def test_a_counter_that_holds_its_value_is_quiet_and_another_value_is_named() -> None:
    assert short(replace(FLAT, holds={"ops": 0.0}), run_of(ops=0.0)) == ""
    assert short(replace(FLAT, holds={"ops": 2.0}), run_of(ops=0.0)) == "ops was 0, not 2"
    assert "ops was 0, 3, 6, not 0" in short(replace(FLAT, holds={"ops": 0.0}), run_of())


def test_a_counter_that_rises_too_little_in_all_is_named() -> None:
    assert short(replace(FLAT, rises={"ops": 590.0}), run_of()) == ""
    said = short(replace(FLAT, rises={"ops": 600.0}), run_of())
    assert said == "ops rose by 597 in all, not by 600"
    assert "rose by nothing in all" in short(replace(FLAT, rises={"gone": 1.0}), run_of())


def test_growth_on_another_place_is_missed() -> None:
    assert short(RAMP, run_of(growth=2.0, share=0.0, other=1.0)) == "attributed to something else"


def test_growth_that_no_place_holds_is_missed() -> None:
    assert "the ledger explains 5" in short(RAMP, run_of(growth=2.0, share=0.5))


def test_a_comb_needs_something_that_happened() -> None:
    comb = Expectation("comb", steps=200, growth=0.0)
    assert "spike" in short(comb, run_of())
    assert short(comb, replace(run_of(), events=(Event(3, "gc", "a pause"),))) == ""
    flip = Event(3, "toggle", "grow off", {"name": "grow", "value": False})
    assert "spike" in short(comb, replace(run_of(), events=(flip,)))


def test_a_run_that_failed_says_why() -> None:
    failed = replace(run_of(), state=State("failed", "It broke."))
    assert short(RAMP, failed) == "it ended failed: It broke."


def test_a_handful_of_steps_is_too_few() -> None:
    assert short(RAMP, run_of(steps=4)) == "it has only 4 steps"
    with pytest.raises(ValueError, match="too few"):
        fifths_ratio(run_of(steps=4))
