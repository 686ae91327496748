"""What others cost is asked of the steps themselves; a trend of the loop is none of it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from labkit.stats.toll import EXPECTED, EXPECTED_ERROR, toll
from tests.stats import known

STEPS = 400


def come_and_go(seed: int) -> known.Numbers:
    """Return pressure of two kinds that is there for a while and gone for a while."""
    random = np.random.default_rng(seed)
    there = np.repeat(random.integers(0, 2, (STEPS // 20, 2)), 20, axis=0).astype(np.float64)
    return there * [-0.65, 0.9]


@pytest.mark.parametrize("shared_out", [-1.2, -1.0, -0.5, 0.0, 0.4])
def test_the_price_of_a_lost_processor_is_what_the_steps_show(shared_out: float) -> None:
    for seed in range(5):
        pressure = come_and_go(seed)
        steps = known.white(STEPS, seed, 0.03) + pressure @ np.array([shared_out, 0.1])
        found = toll(steps, pressure)
        assert found.cost.max() - found.cost.min() == pytest.approx(
            np.ptp(pressure @ np.array([shared_out, 0.1])), abs=0.05
        )
        assert found.price[0] == pytest.approx(shared_out, abs=0.25)


def test_growth_of_the_loop_is_left_to_the_loop() -> None:
    for seed in range(5):
        pressure = come_and_go(seed)
        growing = np.log(np.linspace(1, 2, STEPS)) + known.white(STEPS, seed, 0.03)
        found = toll(growing + pressure @ np.array([-1.0, 0.1]), pressure)
        left = growing - (found.cost - pressure @ np.array([-1.0, 0.1]))
        rise = left[-100:].mean() - left[:100].mean()
        assert rise == pytest.approx(growing[-100:].mean() - growing[:100].mean(), abs=0.05)


def test_who_never_goes_away_tells_nothing_and_the_doubt_says_so() -> None:
    pressure = np.tile([-0.5, 1.0], (STEPS, 1))
    found = toll(known.white(STEPS, 1, 0.03), pressure)
    assert list(found.price) == pytest.approx(EXPECTED, abs=1e-6)
    assert found.doubt(np.array([0.0, 1.0])) > 1.9 * EXPECTED_ERROR[1]
    assert found.doubt(np.zeros(2)) == 0.0
    assert list(found.spread()) == [0.0, 0.0]


def test_the_doubt_is_smaller_where_others_came_and_went() -> None:
    change = np.array([-0.65, 0.9])
    pressure = come_and_go(3)
    steps = known.white(STEPS, 3, 0.03) + pressure @ np.array([-1.0, 0.1])
    asked, unasked = toll(steps, pressure), toll(steps, np.tile(change, (STEPS, 1)))
    assert asked.doubt(change) < 0.4 * unasked.doubt(change)


def test_bursts_of_the_loop_are_not_booked_on_others() -> None:
    for seed in range(5):
        pressure = come_and_go(seed)
        steps = known.white(STEPS, seed, 0.03)
        steps[np.random.default_rng(seed).random(STEPS) < 0.05] += np.log(20)
        assert np.ptp(toll(steps, pressure).cost) < 0.08


def test_scaling_all_times_changes_no_price() -> None:
    pressure = come_and_go(2)
    steps = known.white(STEPS, 2, 0.05) - pressure[:, 0]
    one, other = toll(steps, pressure), toll(steps + np.log(1000), pressure)
    assert list(one.price) == pytest.approx(list(other.price), abs=1e-9)


def test_with_quiet_noise_it_is_the_plain_regression_with_what_was_expected() -> None:
    """A slow, plain twin: one row a block and one a prior, solved at once."""
    pressure = come_and_go(5)
    steps = known.white(STEPS, 5, 0.02) + pressure @ np.array([-0.9, 0.15])
    found = toll(steps, pressure)
    edges = [round(STEPS * part / 60) for part in range(61)]
    times = [np.median(steps[a:b]) for a, b in pairwise(edges)]
    weighed = [pressure[a:b].mean(axis=0) for a, b in pairwise(edges)]
    line = np.linspace(-1, 1, 60)
    noise = 0.02 * 1.25 / np.sqrt(STEPS / 60)
    rows = [
        np.concatenate([cost, [1.0, at, at * at]]) / noise
        for cost, at in zip(weighed, line, strict=True)
    ]
    rows += [np.eye(5)[kind] / error for kind, error in enumerate(EXPECTED_ERROR)]
    right = [time / noise for time in times]
    right += [price / error for price, error in zip(EXPECTED, EXPECTED_ERROR, strict=True)]
    plain = np.linalg.lstsq(np.array(rows), np.array(right), rcond=None)[0]
    assert list(found.price) == pytest.approx(list(plain[:2]), abs=0.05)
