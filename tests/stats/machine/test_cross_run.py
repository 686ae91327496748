"""Between two runs the machine may have changed its pace, and that is no difference of the loops.

Tier: make test.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from labkit.stats.machine.cross_run import doubt_between, undisturbed
from labkit.stats.machine.readings import Machine
from labkit.stats.ratio import ratio
from tests.stats import known
from tests.stats.machines import canary, machine_of

STEPS = 200
LEVEL_SECONDS = 0.02


def machine(seconds: known.Numbers, pace: float, *, seed: int = 0) -> Machine:
    """An idle machine that takes `pace` times as long for everything, its canary included."""
    heard = canary(np.full(STEPS, math.log(pace)), seed, every=4)
    return machine_of(seconds, canary_seconds=heard)


def compared(pace: float, longer: float, seed: int = 1) -> tuple[bool, float]:
    """Compare a run with one of a step so much longer, on a machine so much slower."""
    runs = []
    for each, factor in ((1.0, 1.0), (pace, longer * pace)):
        level = LEVEL_SECONDS * factor
        seconds = level * np.exp(known.white(STEPS, seed + round(10 * factor), 0.02))
        runs.append((seconds, machine(seconds, each, seed=seed)))
    doubt = doubt_between((runs[0], runs[1]), LEVEL_SECONDS)
    series = [undisturbed(seconds, told) for seconds, told in runs]
    return ratio(*series, doubt=doubt).different, doubt


@pytest.mark.parametrize("pace", [1.3, 1 / 1.3])
def test_the_same_loop_on_a_machine_of_another_pace_shows_no_difference(pace: float) -> None:
    for seed in range(5):
        different, doubt = compared(pace, 1.0, seed)
        assert not different and doubt > 2 * math.log(1.28)


def test_without_a_canary_it_would() -> None:
    """Else the test above proved nothing."""
    one = LEVEL_SECONDS * np.exp(known.white(STEPS, 1, 0.02))
    assert ratio(one, 1.3 * one[::-1]).different


def test_a_step_that_takes_three_times_as_long_is_told_all_the_same() -> None:
    assert compared(1.3, 3.0)[0]


def test_on_a_machine_that_kept_its_pace_a_tenth_more_is_told() -> None:
    assert compared(1.0, 1.1)[0]
    assert compared(1.01, 1.1)[0], "as much as a canary moves from run to run"


def test_a_canary_that_was_never_run_says_nothing() -> None:
    seconds = np.full(STEPS, LEVEL_SECONDS)
    quiet = machine_of(seconds)
    assert doubt_between(((seconds, quiet), (seconds, machine(seconds, 2.0))), LEVEL_SECONDS) < 0.1


def test_two_runs_are_compared_without_what_other_programs_took() -> None:
    alone = LEVEL_SECONDS * np.exp(known.white(STEPS, 6, 0.02))
    lost = np.where(np.arange(STEPS) % 2, 2 * LEVEL_SECONDS, 0.0)
    beside = machine_of(alone + lost, computed=alone, others=1.5, idle=0.0, queue=lost)
    assert list(undisturbed(alone + lost, beside)) == pytest.approx(list(alone))


def test_where_a_pool_waited_in_one_run_only_that_much_may_part_them() -> None:
    seconds = LEVEL_SECONDS * np.exp(known.white(STEPS, 6, 0.02))
    none = np.zeros(STEPS)
    beside = machine_of(seconds, computed=seconds / 9, others=1.5, queue=none, pools=0.4 * seconds)
    quiet = machine_of(seconds, queue=none)
    assert doubt_between(((seconds, quiet), (seconds, beside)), LEVEL_SECONDS) > -math.log(0.6)
    assert doubt_between(((seconds, quiet), (seconds, quiet)), LEVEL_SECONDS) < 0.05
