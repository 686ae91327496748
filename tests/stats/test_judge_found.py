"""What is there must be found, with its size."""

import numpy as np
import pytest

from labkit.record import Verdict
from labkit.show.verdict.verdict_words import verdict_words
from labkit.stats import judge
from tests.stats import known
from tests.stats.known import Known


def assert_found(series: Known, label: str, *, within: float = 0.1) -> Verdict:
    """Judge a series; the label must be right, the growth near, and the interval around it."""
    verdict = judge(series.seconds)
    assert verdict.label == label, verdict
    assert verdict.growth is not None and verdict.low is not None and verdict.high is not None
    assert (1 + verdict.growth) / (1 + series.growth) == pytest.approx(1, abs=within)
    assert verdict.low <= series.growth <= verdict.high, verdict
    return verdict


@pytest.mark.parametrize("growth", [0.25, 1.0, 2.0])
@pytest.mark.parametrize("steps", [150, 400, 1500])
def test_a_ramp_is_a_slowdown(growth, steps):
    assert_found(known.ramp(known.white(steps, 1), growth), "slowdown")


@pytest.mark.parametrize("noise", [known.skewed, known.two_speeds, known.rare_giants])
def test_a_ramp_under_ugly_noise_is_a_slowdown(noise):
    assert_found(known.ramp(noise(150, 2), 0.5), "slowdown", within=0.15)


def test_a_ramp_under_noise_that_remembers_is_a_slowdown():
    assert_found(known.ramp(known.memory(300, 3), 1.0), "slowdown", within=0.25)


def test_a_ramp_with_a_burst_on_it_is_a_slowdown():
    assert_found(known.ramp(known.neighbour(150, 6), 1.0), "slowdown")


def test_threefold_growth_is_not_flattened_by_the_logarithm():
    """A straight line through the logarithm would say 2.87x."""
    verdict = assert_found(known.ramp(known.white(150, 4, 0.01), 2.0), "slowdown", within=0.02)
    assert verdict.first_seconds == pytest.approx(0.1, rel=0.02)
    assert verdict.last_seconds == pytest.approx(0.3, rel=0.02)


def test_growth_that_grows_is_a_slowdown():
    assert_found(known.ramp(known.white(150, 16), 1.0, power=2), "slowdown")


def test_growth_after_a_expensive_first_step_is_a_slowdown():
    """One step of 200 times the level must neither deafen the trend nor turn it round."""
    series = known.ramp(known.white(150, 6), 0.5)
    series.seconds[0] *= 200
    verdict = assert_found(series, "slowdown")
    assert verdict.warmup_steps == 1


def test_microsecond_steps_are_judged_too():
    series = known.ramp(known.white(5000, 7), 0.5, level=3e-6)
    verdict = assert_found(series, "slowdown")
    assert " us per step" in verdict_words(verdict)


@pytest.mark.parametrize(("growth", "at"), [(0.25, 60), (1.0, 110), (0.25, 30), (1.0, 30)])
def test_a_level_up_is_a_shift_with_its_place(growth, at):
    """Cut from both sides, a fast start would go as warm-up, and the growth with it."""
    verdict = assert_found(known.step_up(known.white(150, 8), growth, at), "shift")
    assert verdict.onset_step == pytest.approx(at, abs=4)
    assert verdict.warmup_steps == 0


def test_a_level_up_in_a_long_run_is_placed_in_steps():
    verdict = assert_found(known.step_up(known.white(5000, 9), 0.3, 2000), "shift")
    assert verdict.onset_step == pytest.approx(2000, abs=50)


@pytest.mark.parametrize(("warmup", "factor"), [(1, 50.0), (3, 8.0), (12, 1.5), (25, 2.0)])
def test_a_slow_start_is_warm_up(warmup, factor):
    series = known.warm_start(known.white(150, 10), warmup, factor)
    verdict = assert_found(series, "warmup")
    assert verdict.warmup_steps == pytest.approx(warmup, abs=2)


@pytest.mark.parametrize(
    ("period", "factor"), [(5, 2.0), (10, 5.0), (20, 20.0), (7, 1.5), (25, 20.0)]
)
def test_regular_spikes_are_named_with_their_period(period, factor):
    verdict = assert_found(known.combed(known.white(200, 11), period, factor), "spikes")
    assert verdict.spike_period == period
    steps = -(-200 // period)
    share = steps * factor / (200 - steps + steps * factor)
    assert verdict.spike_share == pytest.approx(share, abs=0.05)


def test_a_comb_of_giants_in_a_very_long_run_is_found():
    verdict = assert_found(known.combed(known.white(20_000, 12), 250, 10.0), "spikes")
    assert verdict.spike_period == 250


def test_irregular_spikes_that_cost_time_are_named_without_a_period():
    random = np.random.default_rng(13)
    series = known.flat(known.white(300, 13, 0.02))
    series.seconds[random.choice(300, 9, replace=False)] *= 10
    verdict = assert_found(series, "spikes")
    assert verdict.spike_period is None


def test_a_loop_that_gets_faster_to_the_end_is_a_speedup():
    assert_found(known.ramp(known.white(150, 14), -0.3), "speedup")


@pytest.mark.parametrize(("growth", "at"), [(0.5, 60), (1.0, 100), (2.0, 80)])
def test_growth_that_begins_late_is_a_slowdown_with_its_onset(growth, at):
    verdict = assert_found(known.late_ramp(known.white(150, 17), growth, at), "slowdown")
    assert verdict.onset_step == pytest.approx(at, abs=10)
    assert f"after {verdict.onset_step} of 150 steps" in verdict_words(verdict)


def test_an_onset_in_a_long_run_is_counted_in_steps():
    verdict = assert_found(known.late_ramp(known.white(5000, 18), 1.0, 3000), "slowdown")
    assert verdict.onset_step == pytest.approx(3000, abs=150)


@pytest.mark.parametrize("seed", range(4))
def test_growth_among_many_short_bursts_is_a_slowdown(seed):
    """Bursts of five steps, half of a step higher, in a sixth of the run and all over it."""
    random = np.random.default_rng(seed)
    noise = known.white(150, seed, 0.02)
    for start in range(5, 150, 29):
        first = start + int(random.integers(0, 20))
        noise[first : first + 5] += np.log(1.5)
    assert_found(known.ramp(noise, 0.25), "slowdown")


@pytest.mark.parametrize(("height", "time"), [(0.5, 4.0), (3.0, 2.0), (2.0, 8.0)])
def test_a_start_that_settles_slowly_is_warm_up_to_its_end(height, time):
    series = known.decaying_start(known.white(150, 19, 0.03), height, time)
    verdict = assert_found(series, "warmup")
    # A high start is no exponential of the logarithm: some steps too many are set aside.
    assert -3 <= verdict.warmup_steps - series.warmup <= 0.1 * 150


def test_growth_after_a_start_that_settles_is_a_slowdown():
    series = known.decaying_start(known.white(150, 20, 0.03), 2.0, 5.0)
    series.seconds[:] *= np.linspace(1, 1.5, 150)
    verdict = judge(series.seconds)
    assert verdict.label == "slowdown"
    # The warm-up takes some of the run, and what grew in it.
    assert verdict.low <= 0.5 * (150 - verdict.warmup_steps) / 150 * 1.1
    assert verdict.high >= 0.5 * (150 - verdict.warmup_steps) / 150 / 1.1


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("period", "wander"), [(20, 3), (12, 2)])
def test_spikes_whose_distance_wanders_are_named_with_their_mean_period(period, wander, seed):
    series = known.wandering_comb(known.white(200, seed), period, wander, 4.0, seed)
    verdict = assert_found(series, "spikes")
    assert verdict.spike_period == pytest.approx(period, abs=wander)


@pytest.mark.parametrize("noise", [known.white, known.skewed, known.memory])
def test_a_wandering_level_is_unsteady_under_any_noise(noise):
    levels = np.repeat([0.1, 0.15, 0.1, 0.16, 0.11, 0.17], 25)
    verdict = judge(levels * np.exp(noise(150, 21)))
    assert verdict.label == "unsteady"
    assert verdict_words(verdict).startswith("unsteady: the level moves up and down between ")
    assert verdict.wandering.lowest_seconds == pytest.approx(0.1, rel=0.15)
    assert verdict.wandering.highest_seconds == pytest.approx(0.17, rel=0.15)


def test_two_hundred_steps_of_a_fifth_of_a_millisecond_get_a_verdict():
    assert_found(known.ramp(known.white(200, 22), 0.5, level=0.2e-3), "slowdown")
    assert_found(known.flat(known.white(200, 23), level=0.2e-3), "flat")


def test_the_smallest_growth_told_is_found_in_four_of_five_runs():
    """Told by flat runs, and then looked for in runs that grow by that much."""
    told = [judge(known.flat(known.white(150, seed)).seconds).smallest_growth for seed in range(40)]
    growth = float(np.median([each for each in told if each]))
    found = [judge(known.ramp(known.white(150, seed), growth).seconds) for seed in range(100, 180)]
    assert 0.65 <= sum(verdict.slower for verdict in found) / 80 <= 0.98


@pytest.mark.parametrize("slower", [0.0, 0.4, 0.8])
@pytest.mark.parametrize("seed", range(8))
def test_steps_that_rest_and_then_climb_are_no_warm_up_however_slow_the_first_were(slower, seed):
    """Data that no longer fit into memory; it was called 1,290 steps of warm-up, and 1.6x."""
    rest, start = 900, 60
    seconds = known.knee(3_000, seed, rest=rest, growth=5.7).seconds
    seconds[:start] *= 1 + slower
    verdict = judge(seconds)
    assert verdict.slower and verdict.growth > 4, verdict
    assert verdict.warmup_steps <= 2.5 * start
    assert rest <= verdict.onset_step <= 1.2 * rest
