"""How far steps may wander on a machine whose neighbours come and go. Tier: make test."""

from __future__ import annotations

import numpy as np
import pytest

from labkit.record import Verdict
from labkit.stats.machine.adjusted import judge_adjusted
from labkit.stats.machine.drift import wandering_doubt
from tests.stats import known
from tests.stats.machines import machine_of

STEPS = 300
CALM = np.zeros(STEPS)


def restless(by: float, seed: int) -> known.Numbers:
    """A machine whose neighbours come and go: slower for a while, now and then."""
    random = np.random.default_rng(seed)
    edges = np.cumsum(random.integers(20, 70, 20))
    return np.log1p(by) * (np.searchsorted(edges, np.arange(STEPS), side="right") % 2)


def canary(machine: known.Numbers, seed: int = 9, every: int = 3) -> known.Numbers:
    """What a canary shows of a machine: a reading every few steps, with noise of its own."""
    readings = 11e-6 * np.exp(machine + known.white(STEPS, seed, 0.01))
    return np.where(np.arange(STEPS) % every == 0, readings, np.nan)


def recorded(seconds: known.Numbers, canary_seconds: known.Numbers) -> Verdict:
    """Judge steps that compute all the time."""
    return judge_adjusted(seconds, machine_of(seconds, canary_seconds=canary_seconds))


def test_a_level_that_wanders_as_a_restless_machine_may_make_it_is_not_called_unsteady() -> None:
    labels = []
    for seed in range(8):
        seconds = known.flat(known.white(STEPS, seed, 0.02) + restless(0.28, seed)).seconds
        for canary_seconds in (canary(restless(0.28, seed + 100), every=2), canary(CALM, seed)):
            labels.append(recorded(seconds, canary_seconds).label)
    assert "unsteady" not in labels[::2]
    assert "unsteady" in labels[1::2], "else this test proved nothing"


@pytest.mark.parametrize("by", [0.15, 0.28])
def test_a_doubled_step_is_told_on_a_restless_machine_all_the_same(by: float) -> None:
    labels = []
    for seed in range(12):
        noise = known.white(STEPS, seed, 0.02) + restless(by, seed)
        verdict = recorded(known.ramp(noise, 1.0).seconds, canary(restless(by, seed + 100)))
        labels.append(verdict.label)
    # With its own jumps on top a ramp may look like stairs, which is no reason to be quiet.
    assert sum(label in ("slowdown", "shift", "unsteady") for label in labels) >= 11, labels
    assert labels.count("unsteady") <= 3


def test_a_canary_on_a_machine_of_its_own_leaves_no_doubt() -> None:
    assert [wandering_doubt(canary(CALM, seed)) for seed in range(10)] == [0.0] * 10
    assert wandering_doubt(np.full(STEPS, np.nan)) == 0


def test_a_canary_that_was_run_a_few_times_leaves_none_either() -> None:
    assert wandering_doubt(canary(restless(0.28, 1), every=30)) == 0


def test_steps_may_wander_twice_as_far_as_the_canary() -> None:
    later = np.where(np.arange(STEPS) >= 150, np.log(1.3), 0.0)
    assert wandering_doubt(canary(later)) == pytest.approx(2 * np.log(1.3), abs=0.04)
