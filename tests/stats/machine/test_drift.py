"""What the canary shares with the steps is taken away, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from labkit.record import Verdict
from labkit.stats import judge
from labkit.stats.machine.adjusted import judge_adjusted
from labkit.stats.machine.drift import drift
from tests.stats import known
from tests.stats.machines import machine_of

STEPS = 300
NOWHERE = np.full(STEPS, np.nan)


def later_slower(by: float, at: int = 120) -> known.Numbers:
    """A machine that is slower from one step on."""
    return np.where(np.arange(STEPS) >= at, np.log1p(by), 0.0)


def drifting(by: float) -> known.Numbers:
    """A machine that becomes slower all the time."""
    return np.linspace(0, np.log1p(by), STEPS)


def canary(machine: known.Numbers, seed: int = 9, every: int = 3) -> known.Numbers:
    """What a canary shows of a machine: a reading every few steps, with noise of its own."""
    readings = 11e-6 * np.exp(machine + known.white(STEPS, seed, 0.01))
    return np.where(np.arange(STEPS) % every == 0, readings, np.nan)


def recorded(
    seconds: known.Numbers, canary_seconds: known.Numbers, computing: float = 1.0
) -> Verdict:
    """Judge steps on an otherwise idle machine."""
    return judge_adjusted(
        seconds, machine_of(seconds, computed=computing * seconds, canary_seconds=canary_seconds)
    )


@pytest.mark.parametrize("machine", [later_slower(0.09), later_slower(0.09, 220), drifting(0.1)])
@pytest.mark.parametrize("noise", [known.white, known.memory, known.skewed])
def test_a_machine_that_became_slower_is_no_slowdown_of_the_loop(machine, noise):
    for seed in range(5):
        seconds = known.flat(noise(STEPS, seed) / 4 + machine).seconds
        verdict = recorded(seconds, canary(machine))
        assert verdict.label in ("flat", "warmup"), verdict
        assert verdict.disturbed and (verdict.machine_growth or 0.0) > 0


def test_without_a_canary_the_same_steps_are_called_slower():
    """Else the test above proved nothing."""
    seconds = known.flat(known.white(STEPS, 1, 0.02) + later_slower(0.09)).seconds
    assert judge(seconds).label == "shift"
    assert recorded(seconds, NOWHERE).label == "shift"


@pytest.mark.parametrize("machine", [later_slower(0.09), drifting(0.1), -drifting(0.1)])
def test_growth_of_the_loop_is_found_under_the_drift_and_has_its_own_size(machine):
    for seed in range(5):
        noise = known.white(STEPS, seed, 0.03) + machine
        verdict = recorded(known.ramp(noise, 0.5).seconds, canary(machine))
        assert verdict.slower and verdict.growth == pytest.approx(0.5, abs=0.1), verdict


def test_a_machine_as_fast_as_before_changes_no_verdict():
    for seed in range(5):
        seconds = known.ramp(known.memory(STEPS, seed), 0.3).seconds
        plain, freed = judge(seconds), recorded(seconds, canary(np.zeros(STEPS)))
        assert (freed.label, freed.growth, freed.reason, freed.spikes) == (
            plain.label, plain.growth, plain.reason, plain.spikes,
        )  # fmt: skip
        assert freed.machine_growth is None


@pytest.mark.parametrize("machine", [later_slower(0.09), drifting(0.1)])
def test_steps_that_wait_instead_of_computing_are_not_sped_up(machine):
    """A disk is no faster for a slow processor: dividing by the canary would show a speedup."""
    for seed in range(5):
        seconds = known.flat(known.white(STEPS, seed, 0.02)).seconds
        verdict = recorded(seconds, canary(machine), computing=0.05)
        assert verdict.label in ("flat", "warmup"), verdict


def test_how_far_steps_follow_their_canary_is_asked_of_the_steps():
    machine = later_slower(0.2) - later_slower(0.2, 200)
    for follows in (0.0, 0.5, 1.0):
        log_seconds = known.white(STEPS, 4, 0.02) + follows * machine
        found = drift(log_seconds, canary(machine))
        assert found is not None
        middle = slice(130, 190)
        assert np.median(found.shared[middle]) == pytest.approx(follows * np.log(1.2), abs=0.04)


def test_too_few_readings_say_nothing():
    canary_seconds = np.where(
        np.arange(STEPS) % 30 == 0, canary(later_slower(0.2), every=1), np.nan
    )
    assert drift(known.white(STEPS, 1), canary_seconds) is None


def test_a_nervous_canary_is_no_drift():
    canary_seconds = 11e-6 * np.exp(known.white(STEPS, 3, 0.05))
    canary_seconds[::7] *= 20  # it was interrupted
    found = drift(known.white(STEPS, 1, 0.02), canary_seconds)
    assert found is None or abs(found.growth) < 0.04
