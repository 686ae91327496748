"""What wanders is unsteady; what holds for most of the run, or moves once, is not."""

import numpy as np
import pytest

from labkit.stats import judge
from labkit.stats.shape.instability import longest_held, turning_points
from tests.stats import known


@pytest.mark.parametrize("waves", [2.5, 3, 5])
@pytest.mark.parametrize("noise", [known.white, known.skewed, known.memory])
@pytest.mark.parametrize("steps", [150, 300, 2000])
def test_a_level_that_swings_slowly_is_unsteady(waves, noise, steps):
    """Levels cannot describe it; it was called flat to within 140 %."""
    for angle in (0.0, 2.0, 4.0):
        series = known.wave(noise(steps, 1), 0.4, waves, from_angle=angle)
        verdict = judge(series.seconds)
        assert verdict.label == "unsteady", verdict
        assert verdict.wandering is not None


def test_an_unsteady_level_may_have_come_to_any_of_its_levels_at_the_end():
    verdict = judge(known.wave(known.white(150, 2, 0.02), 0.4, 3).seconds)
    assert verdict.low <= 0.6 / 1.4 - 1 + 0.1
    assert verdict.high >= 1.4 / 0.6 - 1 - 0.2


@pytest.mark.parametrize("swing", [0.03, 0.08])
def test_a_level_that_swings_by_what_an_idle_machine_does_is_not_unsteady(swing):
    for seed in range(10):
        assert judge(known.wave(known.white(150, seed, 0.02), swing, 3).seconds).label != "unsteady"


@pytest.mark.parametrize("factor", [1.10, 1.18])
def test_two_levels_a_few_percent_apart_are_not_unsteady(factor):
    """A hand-over between threads does that on an idle machine."""
    for seed in range(10):
        levels = np.repeat([1.0, factor, 1.0, factor, 1.0, factor], 50)
        verdict = judge(1e-3 * levels * np.exp(known.white(300, seed, 0.01)))
        assert verdict.label != "unsteady", verdict


def test_two_levels_half_of_a_step_apart_are_unsteady():
    levels = np.repeat([1.0, 1.5, 1.0, 1.5, 1.0, 1.5], 50)
    assert judge(1e-3 * levels * np.exp(known.white(300, 1, 0.01))).label == "unsteady"


@pytest.mark.parametrize("waves", [0.25, 0.5])
def test_half_a_wave_is_not_unsteady(waves):
    for seed in range(5):
        series = known.wave(known.white(150, seed, 0.02), 0.4, waves, from_angle=-np.pi / 2)
        assert judge(series.seconds).label != "unsteady"


@pytest.mark.parametrize("size", [0.1, 0.3, 0.6])
def test_noise_alone_is_never_unsteady_however_wide(size):
    for seed in range(20):
        assert judge(0.1 * np.exp(known.white(150, seed, size))).label != "unsteady"


def test_bursts_that_come_back_to_one_floor_are_not_unsteady():
    for seed in range(10):
        random = np.random.default_rng(seed)
        noise = known.white(150, seed, 0.02)
        for start in (20, 60, 100):
            first = start + int(random.integers(0, 12))
            noise[first : first + 14] += np.log(1.5)
        assert judge(0.1 * np.exp(noise)).label in ("flat", "warmup")


def test_a_growth_beside_which_the_level_swings_is_still_a_slowdown():
    for seed in range(5):
        series = known.wave(known.white(300, seed, 0.03), 0.15, 6)
        series.seconds[:] *= np.linspace(1, 5, 300)
        assert judge(series.seconds).slower


def test_turning_points_are_the_ends_of_the_swings():
    level = np.array([0.0, 0.1, 1.0, 0.8, 0.9, 0.0, -0.2, 0.7, 0.75, 0.6])
    assert turning_points(level, 0.5) == [0.0, 1.0, -0.2, 0.75]
    assert turning_points(-level, 0.5) == [0.0, -1.0, 0.2, -0.75]
    assert len(turning_points(level, 3.0)) == 1


def test_the_longest_held_level_is_that_of_brute_force():
    level = known.white(200, 4, 0.1)
    plain = max(np.mean(np.abs(level - value) <= np.log(1.08)) for value in level)
    assert longest_held(level) == pytest.approx(plain)
