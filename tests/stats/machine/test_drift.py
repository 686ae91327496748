"""What the canary shares with the steps is taken away, and nothing else. Tier: make test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from labkit.diagnosis.step_verdict import recorded_machine
from labkit.record import Verdict, load_run
from labkit.stats import judge
from labkit.stats.machine.adjusted import judge_adjusted
from labkit.stats.machine.drift import drift, shared_drift, wandering_doubt
from tests.stats import known
from tests.stats.machines import canary, machine_of

RECORDED = Path(__file__).parents[1] / "recorded"
STEPS = 300
CALM, NOWHERE = np.zeros(STEPS), np.full(STEPS, np.nan)


def later_slower(by: float, at: int = 120) -> known.Numbers:
    """A machine that is slower from one step on."""
    return np.where(np.arange(STEPS) >= at, np.log1p(by), 0.0)


def drifting(by: float) -> known.Numbers:
    """A machine that becomes slower all the time."""
    return np.linspace(0, np.log1p(by), STEPS)


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
        plain, freed = judge(seconds), recorded(seconds, canary(CALM))
        assert (freed.label, freed.growth, freed.reason, freed.spikes) == (
            plain.label, plain.growth, plain.reason, plain.spikes,
        )  # fmt: skip
        assert freed.machine_growth is None


def test_no_slowdown_is_claimed_that_only_the_correction_shows():
    """A healthy loop on sixteen cores of a shared host, recorded there: the canary met a neighbour
    where the steps did not, and the loop was told to take 1.36 times as long."""
    run = load_run(RECORDED / "healthy_on_a_shared_host.jsonl.gz")
    machine, seconds = recorded_machine(run), np.asarray(run.steps.seconds)
    drifted = shared_drift(seconds, machine)
    assert judge(seconds / np.exp(drifted.shared)).label == "slowdown", "else this proves nothing"
    verdict = judge_adjusted(seconds, machine)
    assert not verdict.slower and not verdict.decided, verdict


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


def restless(by: float, seed: int) -> known.Numbers:
    """A machine whose neighbours come and go: slower for a while, now and then."""
    random = np.random.default_rng(seed)
    edges = np.cumsum(random.integers(20, 70, 20))
    return np.log1p(by) * (np.searchsorted(edges, np.arange(STEPS), side="right") % 2)


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
    assert wandering_doubt(NOWHERE) == 0


def test_a_canary_that_was_run_a_few_times_leaves_none_either() -> None:
    assert wandering_doubt(canary(restless(0.28, 1), every=30)) == 0


def test_steps_may_wander_twice_as_far_as_the_canary() -> None:
    later = np.where(np.arange(STEPS) >= 150, np.log(1.3), 0.0)
    assert wandering_doubt(canary(later)) == pytest.approx(2 * np.log(1.3), abs=0.04)
