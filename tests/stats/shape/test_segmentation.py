"""How much of a run is warm-up, where the start and the rest must be told apart."""

import numpy as np
import pytest

from labkit.show.verdict.verdict_words import verdict_words
from labkit.stats import judge
from tests.stats import known


@pytest.mark.parametrize("seed", range(6))
def test_a_warm_up_of_two_falls_ends_after_the_second(seed):
    """An exponential fits it better than one plateau does, and would end at half of the run."""
    series = known.two_falls(known.white(240, seed, 0.015), 24, 48, (8.0, 1.12))
    verdict = judge(series.seconds)
    assert verdict.label == "warmup", verdict
    assert verdict.warmup_steps == pytest.approx(48, abs=5)


@pytest.mark.parametrize("seed", range(6))
def test_a_start_of_one_fall_is_not_cut_for_longer(seed):
    series = known.warm_start(known.white(240, seed, 0.015), 24, 8.0)
    assert judge(series.seconds).warmup_steps == pytest.approx(24, abs=2)


def test_points_that_lie_on_the_rest_are_given_back_to_it():
    """The rest was steadiest from step 67 on, and 12 steps of it were cut with the start."""
    series = known.step_up(known.white(150, 280), 1.0, 95).seconds[::-1]
    assert judge(series).warmup_steps == pytest.approx(55, abs=2)


@pytest.mark.parametrize("seed", range(8))
def test_a_burst_after_a_fast_start_is_no_warm_up(seed):
    noise = known.white(150, seed, 0.02)
    noise[12:40] += np.log(1.4)
    verdict = judge(known.ramp(noise, 0.5).seconds)
    assert verdict.warmup_steps == 0, verdict


@pytest.mark.parametrize("seed", range(6))
def test_a_fall_over_the_whole_run_is_one_speedup_without_a_warm_up(seed):
    steps = np.arange(150)
    series = 0.1 * (1 + 0.4 * np.exp(-steps / 50)) * np.exp(known.white(150, seed, 0.01))
    verdict = judge(series)
    assert verdict.label == "speedup"
    assert verdict.warmup_steps == 0
    truth = (1 + 0.4 * np.exp(-149 / 50)) / 1.4 - 1
    assert verdict.low <= truth <= verdict.high


def test_a_warm_up_before_a_slow_fall_that_is_none_of_it_is_kept():
    """The first steps stick out by themselves; what falls after them is judged alone."""
    series = known.ramp(known.white(150, 3, 0.01), -0.3)
    series.seconds[:2] *= 10
    verdict = judge(series.seconds)
    assert (verdict.label, verdict.warmup_steps) == ("speedup", 2)


@pytest.mark.parametrize("seed", range(6))
def test_a_slow_start_before_a_level_up_is_warm_up(seed):
    """From the slow start to the last level nothing seems to happen."""
    levels = np.repeat([1.3, 1.0, 1.25], [18, 72, 60])
    verdict = judge(0.1 * levels * np.exp(known.white(150, seed, 0.02)))
    assert verdict.label == "shift", verdict
    assert verdict.warmup_steps == pytest.approx(18, abs=2)
    assert verdict.onset_step == pytest.approx(90, abs=2)
    assert verdict.low <= 0.25 <= verdict.high


@pytest.mark.parametrize("seed", range(6))
def test_a_level_that_was_high_for_half_of_the_run_was_no_warm_up(seed):
    levels = np.repeat([1.3, 1.0, 1.25], [80, 30, 40])
    assert judge(0.1 * levels * np.exp(known.white(150, seed, 0.02))).warmup_steps == 0


@pytest.mark.parametrize("at", [90, 110])
def test_a_level_down_is_a_speedup_with_its_place(at):
    for seed in range(4):
        verdict = judge(known.step_up(known.white(150, seed), -0.4, at).seconds)
        assert verdict.label == "speedup"
        assert verdict.onset_step == pytest.approx(at, abs=3)
        assert f"after {verdict.onset_step} of 150 steps" in verdict_words(verdict)


def test_a_fall_from_the_first_step_on_has_no_place():
    for seed in range(5):
        verdict = judge(known.ramp(known.white(150, seed), -0.3).seconds)
        assert verdict.onset_step is None
        assert "over 150 steps" in verdict_words(verdict)
