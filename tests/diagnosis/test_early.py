"""Growth that came early in a long run is told; what did not last, or was small, is not."""

import numpy as np
import pytest

from labkit.diagnosis import examine
from labkit.diagnosis.claim import Claim, claim_of
from labkit.diagnosis.observed import Observed
from labkit.diagnosis.step_verdict import step_verdict
from tests.diagnosis.watched import ramp, watched

STEPS = 9_000


def long_run(seconds, *, seed=3, **more):
    level = seconds[-1]
    whole = np.concatenate([seconds, np.full(STEPS - len(seconds), level)])
    return watched({"function_run_seconds": whole}, rest=1e-4, seed=seed, **more)


def early(run) -> Claim | None:
    """Return what the first steps say, None where all of them speak."""
    seen = Observed(run, run)
    claim = claim_of(seen, step_verdict(seen))
    return None if claim.part is seen else claim


@pytest.mark.parametrize("seed", range(4))
def test_a_level_that_rose_early_is_told_with_its_step(seed):
    said = examine(long_run(np.repeat([1e-3, 2e-3], 120), seed=seed)).verdict
    assert said.label == "shift" and said.onset_step == pytest.approx(120, abs=9)
    assert said.growth == pytest.approx(0.9, abs=0.15)
    assert said.later is not None and said.later.stays


def test_a_ramp_up_to_a_full_store_has_its_place_in_the_ledger():
    said = examine(long_run(ramp(1e-3, 4e-3, 300)))
    assert said.verdict.slower and said.verdict.steps < STEPS
    assert said.ledger.rows[0].place == "function_run_seconds" and said.ledger.explained > 0.9


def test_what_grew_early_is_proved_by_what_was_read_early():
    full = np.minimum(np.arange(STEPS), 300.0)
    run = long_run(ramp(1e-3, 4e-3, 300), evidence={"kept/rows": full})
    said = examine(run)
    assert [(each.cause, each.kind) for each in said.findings] == [("history", "growth")]
    assert said.memory.label == "flat", "the store is full, nothing is kept any more"


@pytest.mark.parametrize("seed", range(8))
def test_a_flat_run_stays_flat(seed):
    assert early(long_run(np.full(10, 1e-3), seed=seed, noise=0.2)) is None


def test_a_stretch_that_came_back_is_none():
    seconds = np.concatenate([np.full(120, 1e-3), np.full(900, 2e-3), np.full(10, 1e-3)])
    assert early(long_run(seconds)) is None


@pytest.mark.parametrize("seed", range(4))
def test_growth_that_overshot_is_told_with_what_it_came_down_to(seed):
    """Recorded: copies of a store took seven times as long, then four times, to the end."""
    overshot = np.repeat([0.3e-3, 2e-3, 4e-3, 0.9e-3], [115, 185, 400, 20])
    said = examine(long_run(overshot, seed=seed)).verdict
    assert said.slower and said.growth > 1


def test_where_growth_overshot_it_is_said_what_came_after_it():
    whole = np.repeat([0.3e-3, 2e-3, 4e-3, 0.9e-3], [115, 185, 100, 800])
    run = watched({"function_run_seconds": whole}, rest=1e-4)
    found = early(run)
    assert found is not None and len(found.part.run.steps) == 300
    later = found.verdict.later
    assert later is not None and later.steps == 900 and not later.stays
    assert later.seconds == pytest.approx(1e-3, rel=0.05)


@pytest.mark.parametrize("rest", [2e-3, 1e-3, 0.7e-3])
def test_a_hump_that_came_back_to_less_than_twice_the_start_is_none(rest):
    hump = np.repeat([1e-3, 4e-3, 5e-3, rest], [115, 185, 180, 20])
    assert early(long_run(hump)) is None


def test_a_machine_that_was_a_little_quicker_at_first_is_none():
    assert early(long_run(np.repeat([1e-3, 1.15e-3], 200))) is None


def test_a_warm_up_is_none():
    assert examine(long_run(np.linspace(9e-3, 1e-3, 60))).verdict.label == "warmup"


def test_a_run_that_is_slower_as_a_whole_is_judged_as_a_whole():
    run = long_run(ramp(1e-3, 4e-3, STEPS))
    assert early(run) is None
    assert examine(run).verdict.steps == STEPS


def test_a_short_run_has_no_first_part():
    assert early(watched({"function_run_seconds": np.full(400, 1e-3)})) is None
