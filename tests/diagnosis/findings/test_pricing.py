"""A counter whose price is stable names a growth that no place holds; no other does.

Tier: make test.
"""

import numpy as np
import pytest

from labkit.diagnosis import examine
from labkit.diagnosis.findings.pricing import price
from labkit.record.proof import StablePrice
from tests.diagnosis.watched import STEPS, causes, ramp, watched

COUNT = np.arange(STEPS, dtype=float)


@pytest.mark.parametrize(
    ("cause", "counters"),
    (
        ("graph_growth", {"graph_ops": 18 + 5 * COUNT}),
        ("retracing", {"traces": 1 + COUNT}),
        ("session_churn", {"sessions": COUNT}),
    ),
)
def test_a_growth_that_no_timer_saw_is_named_by_its_counter(cause, counters):
    run = watched(rest=ramp(1e-3, 3e-3), counters=counters)
    said = examine(run)
    assert causes(run, "growth") == [cause]
    assert said.findings[0].share == pytest.approx(1, abs=0.15)
    assert isinstance(said.findings[0].proof, StablePrice)


def test_work_that_grows_beside_a_counter_that_rests_is_not_priced():
    run = watched(
        {"function_run_seconds": ramp(1e-3, 3e-3)}, counters={"traces": np.full(STEPS, 2.0)}
    )
    assert causes(run, "growth") == []


def test_of_two_counters_that_rise_alike_neither_is_named():
    run = watched(rest=ramp(1e-3, 3e-3), counters={"graph_ops": 5 * COUNT, "sessions": COUNT})
    assert examine(run).verdict.slower and causes(run, "growth") == []


def test_a_price_that_changes_is_no_proof():
    late = 1e-3 + 3e-3 * np.clip(COUNT / STEPS - 0.5, 0, None)
    run = watched(rest=late, counters={"graph_ops": 5 * COUNT})
    assert examine(run).verdict.slower and causes(run, "growth") == []


def test_a_counter_that_rests_has_none():
    run = watched(rest=ramp(1e-3, 3e-3), counters={"graph_ops": np.full(STEPS, 18.0)})
    assert causes(run, "growth") == []


def test_what_the_place_of_another_cause_holds_has_no_price():
    run = watched({"garbage_collection_seconds": ramp(0, 3e-3)}, counters={"graph_ops": 5 * COUNT})
    assert causes(run, "growth") == ["garbage"]


def test_steps_that_stay_flat_have_no_price_however_the_counter_rises():
    for seed in range(10):
        run = watched(rest=2e-3, counters={"graph_ops": 5 * COUNT}, seed=seed)
        assert causes(run, "growth") == []


@pytest.mark.parametrize("noise", [0.02, 0.1])
def test_a_price_is_what_was_put_in(noise):
    random = np.random.default_rng(5)
    seconds = (1e-3 + 4e-6 * COUNT) * np.exp(random.normal(0, noise, STEPS))
    one = price(seconds, COUNT)
    assert one is not None and one.stable
    assert one.seconds == pytest.approx(4e-6, rel=0.15) and one.least <= 4e-6


def test_noise_alone_has_a_stable_price_at_most_as_often_as_its_interval_is_wrong():
    random = np.random.default_rng(6)
    stable = 0
    for _ in range(200):
        one = price(1e-3 * np.exp(random.normal(0, 0.05, STEPS)), COUNT)
        stable += one is not None and one.stable
    assert stable <= 5


def test_too_few_steps_have_none():
    assert price(np.full(20, 1e-3), np.arange(20.0)) is None
