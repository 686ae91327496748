"""What is not there must not be found: the judge must stay quiet."""

import numpy as np
import pytest

from labkit.record import Verdict
from labkit.show.verdict.verdict_words import verdict_words
from labkit.stats import judge
from tests.stats import known

pytestmark = pytest.mark.in_turn

NOISES = [known.white, known.memory, known.skewed, known.two_speeds, known.neighbour]


def assert_quiet(seconds: known.Numbers) -> Verdict:
    """Judge a series that did not get slower; the interval must not exclude that either."""
    verdict = judge(seconds)
    assert not verdict.slower, verdict
    return verdict


@pytest.mark.parametrize("noise", [*NOISES, known.rare_giants])
@pytest.mark.parametrize("steps", [150, 400])
def test_flat_series_are_not_slower(noise, steps):
    for seed in range(8):
        assert_quiet(known.flat(noise(steps, seed)).seconds)


@pytest.mark.parametrize("steps", [60, 150])
def test_false_alarms_are_rare_under_noise_that_remembers(steps):
    """Ordinary least squares is wrong about every third such series, this judge about 3 in 100."""
    verdicts = [judge(known.flat(known.memory(steps, seed)).seconds) for seed in range(100)]
    assert sum(verdict.slower for verdict in verdicts) <= 6
    assert not any(verdict.label == "unsteady" for verdict in verdicts)


@pytest.mark.parametrize("noise", NOISES)
def test_bursts_and_ugly_noise_are_not_spikes(noise):
    for seed in range(3):
        assert judge(known.flat(noise(1500, seed)).seconds).label != "spikes"


def test_a_constant_series_is_flat():
    verdict = assert_quiet(np.full(100, 0.25e-3))
    assert verdict.label == "flat"
    assert verdict.growth == pytest.approx(0, abs=1e-9)
    assert verdict_words(verdict) == "flat: 0.25 ms per step to within 1 % over 100 steps"


def test_a_coarse_clock_does_not_choke():
    ticks = np.round(np.exp(known.white(200, 1, 0.3))) + 1
    assert_quiet(ticks * 1e-6)


def test_growth_too_small_to_matter_is_not_a_slowdown():
    """Two percent in 1,500 steady steps is significant, and nobody would notice it."""
    verdict = assert_quiet(known.ramp(known.white(1500, 2, 0.01), 0.02).seconds)
    assert verdict.label == "flat"
    assert verdict.low is not None and verdict.low > 0


def test_spikes_that_get_more_frequent_leave_the_level_alone():
    series = known.flat(known.white(150, 6))
    series.seconds[[20, 60, 90, 100, 115, 125, 135, 142]] *= 10
    assert_quiet(series.seconds)


def test_a_late_rise_too_short_to_judge_is_not_a_shift():
    series = known.flat(known.white(150, 7, 0.02))
    series.seconds[-13:] *= 1.4
    verdict = assert_quiet(series.seconds)
    assert verdict.reason == "late_rise"


def test_slow_steps_that_leave_the_floor_alone_are_not_a_slowdown():
    """A neighbour who is busier and busier lifts the typical step, but never the fastest."""
    random = np.random.default_rng(8)
    position = np.linspace(0, 1, 200)
    busy = random.random(200) < 0.7 * position
    assert_quiet(0.1 * np.exp(known.white(200, 8, 0.01)) * np.where(busy, 1.5, 1))


@pytest.mark.parametrize("steps", [1, 12, 29])
def test_short_series_are_refused(steps):
    verdict = assert_quiet(known.ramp(known.white(steps, 9), 5.0).seconds)
    assert verdict.label == "too_short"
    assert verdict.growth is None and verdict.low is None and verdict.high is None
    assert verdict.steps == steps


def test_a_short_rest_after_a_long_warm_up_is_refused():
    verdict = assert_quiet(known.warm_start(known.white(32, 9, 0.01), 14, 3.0).seconds)
    assert verdict.label == "too_short"
    assert verdict_words(verdict) == (
        "too short: 18 steps after 14 steps of warm-up, and a verdict needs at least 20; "
        "run more steps"
    )


@pytest.mark.parametrize("noise", [known.white, known.skewed, known.two_speeds])
def test_the_interval_of_a_flat_series_covers_zero(noise):
    inside = 0
    for seed in range(60):
        verdict = judge(known.flat(noise(150, seed)).seconds)
        assert verdict.low is not None and verdict.high is not None
        inside += verdict.low <= 0 <= verdict.high
    assert inside >= 52


@pytest.mark.parametrize("noise", [known.white, known.skewed, known.two_speeds])
def test_growth_from_the_start_has_no_onset(noise):
    for seed in range(4):
        for growth, power in ((0.5, 1), (1.0, 2)):
            series = known.ramp(noise(150, seed), growth, power=power)
            assert judge(series.seconds).onset_step is None


def test_slow_growth_at_first_is_no_warm_up():
    """Beside a parabola such a start sticks out; but nothing falls there."""
    for seed in range(8):
        hollow = known.ramp(known.white(150, seed, 0.01), 1.5, power=2)
        assert judge(hollow.seconds).warmup_steps == 0
        late = known.late_ramp(known.white(150, seed, 0.01), 2.0, 75)
        assert judge(late.seconds).warmup_steps == 0


@pytest.mark.parametrize("share", [0.03, 0.08])
def test_spikes_that_come_by_chance_have_no_period(share):
    for seed in range(25):
        verdict = assert_quiet(
            known.chance_spikes(known.white(200, seed), share, 4.0, seed).seconds
        )
        assert verdict.spike_period is None, verdict


def test_one_burst_of_slow_steps_is_no_comb():
    noise = known.white(200, 10, 0.02)
    noise[100:108] += np.log(3)
    assert judge(0.1 * np.exp(noise)).spike_period is None


def test_rare_giants_leave_the_verdict_flat_and_their_share_is_told():
    series = known.flat(known.white(300, 11, 0.02))
    series.seconds[[50, 140, 260]] *= 50
    verdict = assert_quiet(series.seconds)
    assert verdict.label == "flat"
    assert verdict.spike_share == pytest.approx(150 / 447, abs=0.02)
    assert verdict_words(verdict).endswith("; 3 outlier steps account for 34 % of the time")


def test_bursts_on_a_flat_level_are_not_unsteady():
    for seed in range(8):
        random = np.random.default_rng(seed)
        noise = known.white(150, seed, 0.02)
        for start in random.choice(25, 4, replace=False) * 5 + 5:
            noise[start : start + 5] += np.log(random.uniform(1.1, 1.6))
        assert judge(0.1 * np.exp(noise)).label in ("flat", "warmup")


def test_regular_spikes_do_not_hide_the_memory_of_the_noise():
    """Drawn in, they would look like noise that forgets, and waves between them like a trend."""
    wrong = 0
    for seed in range(40):
        series = known.combed(known.memory(150, seed), 5, 3.0)
        wrong += judge(series.seconds).slower
    assert wrong <= 3
