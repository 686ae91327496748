"""The ratio of two runs: right where they differ, quiet where they do not."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from labkit.record import LabkitError
from labkit.stats.ratio import Ratio, ratio
from labkit.stats.series import LONGEST_STEP_SECONDS
from tests.stats import known
from tests.stats.shape.test_slow_twins import plain_memory_error, plain_standard_error

pytestmark = pytest.mark.in_turn

few = settings(max_examples=25)
NOISES = [
    known.white,
    known.memory,
    known.skewed,
    known.two_speeds,
    known.neighbour,
    known.rare_giants,
]


def flat_pair(noise, steps: int, seed: int, factor: float = 1.0) -> Ratio:
    """Compare two flat runs, the second `factor` times as slow."""
    first = known.flat(noise(steps, 2 * seed)).seconds
    return ratio(first, factor * known.flat(noise(steps, 2 * seed + 1)).seconds)


def holds(value: Ratio, truth: float) -> bool:
    assert value.low is not None and value.high is not None
    return value.low <= truth <= value.high


# What the steps take in all.


@pytest.mark.parametrize("noise", [known.white, known.skewed, known.two_speeds, known.memory])
def test_pauses_count_in_the_mean_and_the_interval_covers_the_truth(noise):
    pairs = []
    for seed in range(20):
        usual = known.flat(noise(150, 2 * seed)).seconds
        paused = known.combed(noise(150, 2 * seed + 1), 10, 50.0).seconds
        pairs.append(ratio(usual, paused))
    assert sum(value.mean.different for value in pairs) >= 18
    assert all(value.way == "longer" for value in pairs if value.mean.different)
    assert sum(value.mean.low <= 5.9 <= value.mean.high for value in pairs) >= 17


@pytest.mark.parametrize("steps", [60, 400])
def test_the_mean_of_a_loop_is_not_different_from_its_own(steps):
    """Of 2,700 pairs one was, and its usual steps, too; 0.95 of all were covered."""
    for pause in (1.0, 50.0):
        covered = []
        for noise in NOISES:
            for seed in range(20):
                first, second = (known.combed(noise(steps, each), 10, pause).seconds
                                 for each in (2 * seed, 2 * seed + 1))  # fmt: skip
                value = ratio(first, second)
                assert value.way == "alike" or value.different
                covered.append(value.mean.low <= 1.0 <= value.mean.high)
        assert np.mean(covered) >= 0.9


def test_a_neighbours_bursts_are_no_pauses_of_the_loop():
    """No verdict calls three of them spikes of the loop, so no difference is claimed."""
    calm, busy = (known.flat(known.white(300, seed)).seconds for seed in (1, 2))
    busy = busy.copy()
    busy[[40, 170, 180]] *= 40
    value = ratio(calm, busy)
    assert value.mean.ratio > 1.2
    assert value.way == "alike"


def test_of_runs_that_grow_as_many_steps_are_compared():
    short = known.ramp(known.white(100, 1), 2.0).seconds
    long = known.ramp(known.white(300, 2), 8.0).seconds
    assert ratio(short, long).mean.ratio == pytest.approx(1.16, rel=0.06)


@pytest.mark.parametrize("length", [61, 62, 65])
def test_a_run_as_short_as_the_others_warm_up_has_its_last_level_compared_and_no_mean(length):
    """Such a pair, a growing run and a longer one with a long warm-up, ended a comparison."""
    warming = known.flat(known.white(400, 1)).seconds.copy()
    warming[:60] *= 3
    growing = known.ramp(known.white(length, 2), 8.0).seconds
    for pair in ((warming, growing), (growing, warming)):
        value = ratio(*pair)
        assert max(each.warmup_steps for each in value.verdicts) >= 60
        assert value.mean is None and value.way in ("longer", "shorter")


# What differs.


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("factor", [0.5, 1.3, 3.0])
def test_another_level_is_found_with_its_size(noise, factor):
    found = [flat_pair(noise, 150, seed, factor) for seed in range(8)]
    assert all(value.different for value in found)
    assert sum(holds(value, factor) for value in found) >= 7
    assert np.median([value.ratio for value in found]) == pytest.approx(factor, rel=0.03)


@pytest.mark.parametrize("steps", [60, 400])
def test_a_loop_compared_with_itself_is_not_different_and_the_interval_covers_the_truth(steps):
    """One in a hundred may be different; of 2,200 such pairs 0.3 in a hundred were.

    0.90 of all are covered, and 0.85 of every family; 0.96 over 200 pairs of each of 11 families.
    """
    pairs = [[flat_pair(noise, steps, seed) for seed in range(40)] for noise in NOISES]
    covered = [[holds(value, 1.0) for value in values] for values in pairs]
    assert np.mean(covered) >= 0.9
    assert np.mean(covered, axis=1).min() >= 0.85
    assert all(sum(value.different for value in values) <= 1 for values in pairs)


def test_a_growing_loop_is_compared_with_its_fix_by_its_last_steps():
    """Its typical step would be as slow as the run is long."""
    grown = known.ramp(known.white(300, 1), 2.0).seconds
    mended = known.flat(known.white(300, 2)).seconds
    value = ratio(grown, mended)
    assert value.basis == "last"
    assert value.different
    assert value.ratio == pytest.approx(1 / 3, rel=0.03)
    assert holds(value, 1 / 3)
    assert value.seconds == pytest.approx((0.3, 0.1), rel=0.03)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("noise", [known.white, known.memory, known.skewed])
def test_the_interval_covers_the_ratio_of_last_levels(power, noise):
    covered = 0
    for seed in range(20):
        grown = known.ramp(noise(150, 2 * seed), 2.0, power=power).seconds
        mended = known.flat(noise(150, 2 * seed + 1)).seconds
        covered += holds(ratio(grown, mended), 1 / 3)
    assert covered >= 18


def test_after_a_shift_the_last_level_counts():
    shifted = known.step_up(known.white(200, 1), 1.0, 120).seconds
    value = ratio(known.flat(known.white(200, 2)).seconds, shifted)
    assert value.basis == "last"
    assert holds(value, 2.0)


def test_runs_that_both_move_are_compared_at_the_same_step():
    """One more factor of two in length is no difference of the loops."""
    longer = known.ramp(known.white(600, 1), 4.0).seconds
    shorter = known.ramp(known.white(300, 2), 2.0).seconds
    value = ratio(shorter, longer)
    assert value.at_step == 300
    assert [verdict.steps for verdict in value.verdicts] == [300, 300]
    assert not value.different
    assert holds(value, 1.0)


def test_a_run_that_holds_its_level_is_not_cut():
    value = ratio(known.ramp(known.white(300, 1), 2.0).seconds, np.full(900, 0.1))
    assert value.at_step is None
    assert [verdict.steps for verdict in value.verdicts] == [300, 900]


# What must stay quiet.


@pytest.mark.parametrize("noise", [known.white, known.memory, known.skewed])
def test_a_growing_loop_compared_with_itself_is_not_different(noise):
    pairs = [
        (known.ramp(noise(150, 2 * seed), 1.0), known.ramp(noise(150, 2 * seed + 1), 1.0))
        for seed in range(15)
    ]
    assert not any(ratio(one.seconds, other.seconds).different for one, other in pairs)


def test_a_real_but_tiny_difference_is_none_and_its_interval_says_so():
    value = flat_pair(lambda steps, seed: known.white(steps, seed, 0.01), 400, 1, 1.03)
    assert not value.different
    assert value.low is not None and value.low > 1
    assert holds(value, 1.03)


@pytest.mark.parametrize("warmup", [1, 3, 25])
def test_a_slow_start_is_set_aside(warmup):
    slow = known.warm_start(known.white(150, 1), warmup, 20.0).seconds
    value = ratio(slow, known.flat(known.white(150, 2)).seconds)
    assert not value.different
    assert holds(value, 1.0)


@pytest.mark.parametrize("period", [5, 10, 25])
def test_spikes_are_set_aside_and_their_share_is_told(period):
    spiky = known.combed(known.white(150, 1), period, 10.0).seconds
    value = ratio(known.flat(known.white(150, 2)).seconds, spiky)
    assert not value.different
    assert holds(value, 1.0)
    share = value.verdicts[1].spike_share
    assert share == pytest.approx(10 / (10 + period - 1), abs=0.05)


def test_a_busy_neighbour_who_leaves_the_fastest_steps_alone_makes_no_difference():
    """Half of all steps wait; those that do not are as fast as before."""
    random = np.random.default_rng(3)
    calm = known.flat(known.white(400, 1, 0.01)).seconds
    busy = calm * np.where(random.random(400) < 0.45, 1.19, 1.0)
    value = ratio(calm, busy)
    assert value.ratio is not None and value.ratio > 1.05
    assert not value.different


def test_a_loop_of_two_speeds_by_turns_is_not_different_from_itself():
    """Its median jumps from one speed to the other."""
    pairs = 0
    for seed in range(30):
        random = np.random.default_rng(seed)
        one, other = (
            np.where(random.random(150) < 0.5, 0.1, 0.13) * np.exp(random.normal(0, 0.02, 150))
            for _ in range(2)
        )
        value = ratio(one, other)
        assert not value.different
        pairs += holds(value, 1.0)
    assert pairs >= 27


def test_constant_times_are_compared_exactly():
    value = ratio([0.1] * 50, [0.2] * 80)
    assert value.different
    assert value.ratio == pytest.approx(2.0)
    assert not ratio([0.1] * 50, [0.1] * 80).different


@pytest.mark.parametrize("short", [1, 29])
def test_too_few_steps_give_no_ratio(short):
    enough = known.flat(known.white(150, 1)).seconds
    for pair in ((enough, enough[:short]), (enough[:short], enough)):
        value = ratio(*pair)
        assert value.basis == "too_short"
        assert value.ratio is None and value.low is None and value.high is None
        assert not value.different
    assert value.verdicts[0].steps == short


@pytest.mark.parametrize("wrong", [[], [0.1, -0.1], [0.1, math.nan], ["a"]])
def test_wrong_times_are_refused(wrong):
    with pytest.raises(LabkitError):
        ratio([0.1] * 50, wrong)


# What holds for every pair.


@few
@given(seed=st.integers(0, 10_000), growth=st.sampled_from([0.0, 1.0]))
def test_exchanging_the_runs_inverts_the_ratio(seed, growth):
    one = known.ramp(known.white(150, seed), growth).seconds
    other = known.flat(known.skewed(150, seed)).seconds
    there, back = ratio(one, other), ratio(other, one)
    assert back.different == there.different
    assert back.ratio == pytest.approx(1 / there.ratio)
    assert back.low == pytest.approx(1 / there.high)
    assert back.high == pytest.approx(1 / there.low)


@few
@given(seed=st.integers(0, 10_000), power=st.integers(-9, 6))
def test_scaling_both_runs_changes_nothing(seed, power):
    one = known.flat(known.white(100, seed)).seconds
    other = 1.2 * known.flat(known.skewed(100, seed)).seconds
    plain, scaled = ratio(one, other), ratio(one * 10.0**power, other * 10.0**power)
    assert scaled.different == plain.different
    assert scaled.ratio == pytest.approx(plain.ratio, rel=1e-6)
    assert scaled.low == pytest.approx(plain.low, rel=1e-6)


@few
@given(times=st.lists(st.floats(1e-300, 1e300), min_size=2, max_size=90), seed=st.integers(0, 99))
def test_times_that_cannot_be_of_one_loop_are_refused(times, seed):
    other = known.flat(known.white(60, seed)).seconds
    assume(math.log(max(times)) - math.log(min(times)) > math.log(1e17))
    with pytest.raises(LabkitError, match="no loop has steps so different"):
        ratio(other, times)


@few
@given(
    times=st.lists(st.floats(1e-8, 1e7), min_size=1, max_size=90),
    scale=st.sampled_from([1e-290, 1.0, LONGEST_STEP_SECONDS / 1e7]),
    seed=st.integers(0, 99),
)
def test_whatever_the_times_a_ratio_lies_in_its_interval(times, scale, seed):
    times = [seconds * scale for seconds in times]
    value = ratio(known.flat(known.white(60, seed)).seconds, times)
    if value.ratio is None:
        assert value.basis == "too_short"
    else:
        assert 0 <= value.low <= value.ratio <= value.high < math.inf


# A slow, plain twin.


def plain_interval(first, second):
    """Return the ratio of geometric means with its interval, for runs without warm-up or spikes."""
    means, halves = [], []
    for times in (first, second):
        n = len(times)
        values = [math.log(time) for time in times]
        mean = sum(values) / n
        residuals = [value - mean for value in values]
        errors = [
            plain([1 / n] * n, residuals, 1) for plain in (plain_standard_error, plain_memory_error)
        ]
        means.append(mean)
        # Student's t of 11 degrees of freedom, for the 11 cosines that 150 points are worth.
        halves.append(2.200985 * max(errors))
    apart, half = means[1] - means[0], math.sqrt(halves[0] ** 2 + halves[1] ** 2)
    return math.exp(apart), math.exp(apart - half), math.exp(apart + half)


@pytest.mark.parametrize("noise", [known.white, known.memory])
def test_the_interval_is_that_of_plain_sums(noise):
    one, other = (known.flat(noise(150, seed)).seconds for seed in (3, 4))
    value = ratio(one, other)
    assert [verdict.label for verdict in value.verdicts] == ["flat", "flat"]
    assert (value.ratio, value.low, value.high) == pytest.approx(plain_interval(one, other))


def test_a_difference_the_machine_may_have_made_is_none() -> None:
    first, second = (known.flat(known.white(150, seed, 0.02)).seconds for seed in (1, 2))
    assert ratio(first, 1.2 * second).different
    assert not ratio(first, 1.2 * second, doubt=0.2).different
    assert ratio(first, 1.5 * second, doubt=0.2).different
    assert not ratio(first, second / 1.2, doubt=0.2).different
