"""A trend beside one change of level and neighbours: found where there is one. Tier: make test."""

from __future__ import annotations

import math

import numpy as np
import pytest

from labkit.stats.machine.adjusted import judge_adjusted
from labkit.stats.machine.lasting_trend import lasting_trend, lasts
from tests.stats import known
from tests.stats.machines import machine_of

STEPS = 300
ALONE = np.zeros(STEPS)
SEEDS = range(40)


def level(size: float, at: int = 170) -> known.Numbers:
    return np.where(np.arange(STEPS) >= at, size, 0.0)


def neighbours(seed: int) -> known.Numbers:
    """Another program that computes for a while and rests for a while."""
    random = np.random.default_rng(seed)
    turns = np.repeat(random.random(STEPS // 20) < 0.5, 20).astype(float)
    return np.asarray(turns)


def noise(seed: int) -> known.Numbers:
    return known.memory(STEPS, seed, 0.5, 0.03)


@pytest.mark.parametrize("rise", [0.25, -0.25])
@pytest.mark.parametrize("jump", [0.0, 0.15, -0.15])
def test_a_line_is_found_beside_a_change_of_level_and_neighbours(rise: float, jump: float) -> None:
    line = np.linspace(0, rise, STEPS)
    direction = 1 if rise > 0 else -1
    rises, missed = [], 0
    for seed in SEEDS:
        used = neighbours(seed)
        steps = line + level(jump) + 0.3 * used + noise(seed)
        rises.append(lasting_trend(steps, used)[0])
        missed += lasts(steps, used, direction) is None
        assert lasts(steps, used, -direction) is None
    assert np.median(rises) == pytest.approx(rise, rel=0.15)
    assert missed <= len(SEEDS) // 4


@pytest.mark.parametrize("at", [60, 150, 240])
@pytest.mark.parametrize("jump", [0.0, 0.1, 0.4])
def test_a_change_of_level_beside_neighbours_is_no_line(jump: float, at: int) -> None:
    for seed in SEEDS:
        used = neighbours(seed)
        steps = level(jump, at) + 0.4 * used + noise(seed)
        assert lasts(steps, used, 1) is None and lasts(steps, used, -1) is None


def test_neighbours_that_come_once_are_no_line_and_hide_none() -> None:
    """What they make is one of the levels that are tried."""
    for seed in SEEDS:
        used = level(1.0)
        assert lasts(0.3 * used + noise(seed), used, 1) is None
    found = [lasts(np.linspace(0, 0.5, STEPS) + noise(seed), level(1.0), 1) for seed in SEEDS]
    assert sum(half is None for half in found) <= len(SEEDS) // 4


def test_noise_that_remembers_for_long_is_no_line() -> None:
    found = [lasts(known.memory(STEPS, seed), ALONE, 1) for seed in range(200)]
    assert sum(half is not None for half in found) <= 2


def test_a_handful_of_steps_has_none() -> None:
    assert lasting_trend(np.linspace(0, 1, 29), np.zeros(29)) == (0.0, math.inf)
    assert lasts(np.linspace(0, 1, 29), np.zeros(29), 1) is None


def test_it_is_what_least_squares_give_for_the_best_place_of_the_level() -> None:
    """The plain twin: all places tried on the same medians, one at a time."""
    used = neighbours(3)
    steps = np.linspace(0, 0.3, STEPS) + level(0.2) + 0.2 * used + noise(3)
    means = [part.mean() for part in np.split(used, 60)]
    middles = [float(np.median(part)) for part in np.split(steps, 60)]
    tried = []
    for at in range(3, 58):
        rows = [[1, index / 59, means[index], float(index >= at)] for index in range(60)]
        found = np.linalg.lstsq(np.array(rows), np.array(middles), rcond=None)[0]
        tried.append((np.abs(np.array(middles) - np.array(rows) @ found).sum(), found[1]))
    assert lasting_trend(steps, used)[0] == pytest.approx(min(tried)[1])


def test_a_short_step_that_gets_slower_bit_by_bit_is_told_and_one_that_jumped_is_not() -> None:
    """Found: 20 % [19, 22] of a 1 ms step were taken for a thread that was moved, 0.15 ms."""
    for seed in range(5):
        steady = 1e-3 * np.exp(known.white(STEPS, seed, 0.02))
        said = {
            name: judge_adjusted(seconds, machine_of(seconds, queue=ALONE))
            for name, seconds in (
                ("line", steady * np.linspace(1, 1.17, STEPS)),
                ("jump", steady * np.exp(level(0.12))),
            )
        }
        assert said["line"].slower and said["line"].growth == pytest.approx(0.16, abs=0.05)
        assert not said["jump"].slower and said["jump"].reason == "machine"


def test_a_small_change_when_others_go_is_not_the_loops() -> None:
    """Found: a pool of threads took 7 % longer from the moment when it had the machine alone."""
    others = 1.0 - level(1.0)
    for seed in range(5):
        seconds = 4e-3 * np.exp(known.white(STEPS, seed, 0.01) + level(0.08))
        said = judge_adjusted(seconds, machine_of(seconds, others=others, queue=ALONE))
        assert not said.slower, said
        calm = judge_adjusted(seconds, machine_of(seconds, others=ALONE, queue=ALONE))
        assert calm.slower, calm
