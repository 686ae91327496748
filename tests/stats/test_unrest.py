"""On a restless machine a change must be larger than what the machine may have made alone.

Tier: make test.
"""

from __future__ import annotations

import numpy as np
import pytest

from labkit.record import Verdict
from labkit.stats.freed import judge_freed
from labkit.stats.machine import Machine
from labkit.stats.unrest import unrest
from tests.stats import known

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


def claim(label: str, onset_step: int | None = None) -> Verdict:
    return Verdict(label, 0.5, 0.4, 0.6, "", onset_step=onset_step)  # type: ignore[arg-type]


def recorded(seconds: known.Numbers, songs: known.Numbers) -> Verdict:
    """Judge steps that compute all the time."""
    start = np.cumsum(seconds) - seconds
    return judge_freed(seconds, Machine(start, seconds, songs, CALM, start))


@pytest.mark.parametrize("seed", range(8))
def test_on_a_restless_machine_steps_may_move_twice_as_far_and_at_other_moments(seed):
    """Recorded: steps from 0.9 to 1.45 ms where the canary went from 11.3 to 14.5 us."""
    seconds = known.flat(known.white(STEPS, seed, 0.02) + 1.9 * restless(0.28, seed)).seconds
    verdict = recorded(seconds, canary(restless(0.28, seed + 100), every=2))
    assert not verdict.slower and verdict.label != "unsteady", verdict.detail


def test_the_same_steps_beside_a_calm_canary_are_often_called_slower_or_unsteady():
    """Else the test above proved nothing."""
    labels = []
    for seed in range(8):
        seconds = known.flat(known.white(STEPS, seed, 0.02) + 1.9 * restless(0.28, seed)).seconds
        labels.append(recorded(seconds, canary(CALM, seed)).label)
    assert sum(label in ("slowdown", "shift", "unsteady") for label in labels) >= 4


@pytest.mark.parametrize("by", [0.15, 0.28])
def test_a_doubled_step_is_told_on_a_restless_machine_all_the_same(by):
    labels = []
    for seed in range(12):
        noise = known.white(STEPS, seed, 0.02) + restless(by, seed)
        verdict = recorded(known.ramp(noise, 1.0).seconds, canary(restless(by, seed + 100)))
        labels.append(verdict.label)
    # With its own jumps on top a ramp may look like stairs, which is no reason to be quiet.
    assert sum(label in ("slowdown", "shift", "unsteady") for label in labels) >= 11, labels
    assert labels.count("unsteady") <= 3


def test_a_canary_on_a_machine_of_its_own_leaves_no_doubt():
    assert [unrest(canary(CALM, seed)) for seed in range(10)] == [None] * 10
    assert unrest(np.full(STEPS, np.nan)) is None


def test_a_canary_that_was_run_a_few_times_leaves_none_either():
    assert unrest(canary(restless(0.28, 1), every=30)) is None


def test_the_doubt_is_twice_what_the_machine_did_between_what_is_compared():
    later = np.where(np.arange(STEPS) >= 150, np.log(1.3), 0.0)
    found = unrest(canary(later))
    assert found is not None and found.spread == pytest.approx(np.log(1.3), abs=0.02)
    assert found.change_doubt(claim("shift", onset_step=150)) >= 2 * np.log(1.28)
    assert found.level_doubt() == pytest.approx(2 * np.log(1.3), abs=0.04)


def test_a_machine_that_went_to_and_fro_leaves_less_doubt_about_a_trend_than_about_a_level():
    """In the long run it meets all steps alike; with a change in the middle it need not."""
    quick = np.log(1.28) * (np.arange(STEPS) // 12 % 2)
    found = unrest(canary(quick, every=2))
    assert found is not None
    assert found.change_doubt(claim("slowdown")) < 0.8 * found.level_doubt()
