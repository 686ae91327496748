"""A climb is what rises for ever: to the end, all along, and by more than the counter's noise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.diagnosis.monotone import climb, rises_in_ever_larger_stairs

STEPS = np.arange(0, 400, 10)


def found(values, *, least=3.0, steps=STEPS):
    return climb("entries", list(steps), list(values), least_rise=least)


@pytest.mark.parametrize("per_step", (0.01, 1, 5e6))
def test_a_steady_rise_is_a_climb_with_its_price_a_step(per_step):
    rising = found(7 + per_step * STEPS, least=per_step)
    assert rising is not None and rising.per_step == pytest.approx(per_step)
    assert rising.rise == pytest.approx(rising.last - rising.first)


def test_a_rise_by_stairs_is_a_climb():
    assert found(64 * (STEPS // 50)) is not None  # a list grows its room by leaps


@pytest.mark.parametrize("stairs", (1, 3, 4, 5))
def test_a_few_stairs_with_long_rests_between_them_are_none(stairs):
    """A step that is traced for each of four sizes of picture; then there are no more sizes."""
    for shift in (0, 4, 9):
        climbed = 20.0 * ((np.arange(40) + shift) // (40 // stairs))
        assert found(climbed) is None
        assert found(climbed + np.random.default_rng(shift).uniform(0, 1, 40)) is None


def test_a_stair_that_a_late_and_rare_reading_hides_is_none():
    """Read less often once nothing seemed to happen: three stairs of 6 MB in a healthy script."""
    steps = [2, 38, 72, 107, 144, 176, 213, 250, 285, 322, 360, 396, 435, 474, 500, 776]
    read = [112.2, *[112.4] * 6, 118.8, *[118.9] * 6, 124.6, 130.8]
    assert found(1e6 * np.array(read), least=200_000, steps=steps) is None
    leaking = 1e6 * np.array([112 + 0.03 * step for step in steps])
    assert found(leaking, least=200_000, steps=steps) is not None


def test_a_rise_that_gets_faster_is_a_climb():
    assert found(STEPS**2) is not None


def test_a_rise_with_small_falls_is_a_climb():
    values = 100.0 * STEPS
    values[::7] -= 60
    assert found(values) is not None


@pytest.mark.parametrize(
    "values",
    (
        np.full(len(STEPS), 12.0),
        np.minimum(STEPS, 150),  # a cache that is full
        np.where(STEPS < 200, 0, 500),  # made once, late
        STEPS % 100,  # garbage, and its collection
        500 - STEPS,
        100 * (1 - np.exp(-STEPS / 40)),  # settles
    ),
    ids=("rests", "fills", "once", "comes and goes", "falls", "settles"),
)
def test_what_rests_or_comes_to_rest_is_none(values):
    assert found(values) is None


@pytest.mark.parametrize("seed", range(20))
def test_noise_is_no_climb(seed):
    noise = np.random.default_rng(seed).normal(0, 30, len(STEPS))
    assert found(noise) is None
    assert found(np.cumsum(np.abs(noise)) * 0.01, least=100) is None, "less than its noise"


def test_too_few_readings_say_nothing():
    assert found(5 * STEPS[:7], steps=STEPS[:7]) is None
    assert found([], steps=[]) is None


EAGER = np.array([2, 11, 20, 32, 45, 62, 78, 97, 116, 136, 160, 380, 700, 1_055])


def test_a_rise_that_was_read_mostly_at_the_start_is_a_climb():
    """Each open figure makes the next reading more expensive, so that they become rare."""
    rising = found(EAGER, steps=EAGER)
    assert rising is not None and rising.per_step == 1


@pytest.mark.parametrize("full", [30, 160, 400, 700])
def test_a_store_that_is_full_is_none_though_it_was_read_mostly_while_it_filled(full):
    assert found(np.minimum(EAGER, full), steps=EAGER) is None


def test_what_a_run_of_a_few_steps_builds_is_none():
    steps = np.arange(1, 13)
    assert found(10 * steps, steps=steps) is None


def test_readings_that_are_missing_are_left_out():
    values = 2.0 * STEPS
    values[3::4] = np.nan
    rising = found(values)
    assert rising is not None and rising.per_step == pytest.approx(2)


@given(st.lists(st.floats(-1e6, 1e6), max_size=60), st.floats(0.1, 100))
def test_a_climb_is_never_claimed_of_what_ends_where_it_began(values, least):
    both = [*values, *reversed(values)]
    assert climb("entries", range(len(both)), both, least_rise=least) is None or (
        both[-1] > both[len(both) // 5]
    )


def larger(values, *, least=200_000.0, steps=STEPS):
    return rises_in_ever_larger_stairs(list(steps), list(values), least_rise=least)


@pytest.mark.parametrize("first", (16, 21, 32))
@pytest.mark.parametrize("noise", (0, 40_000))
def test_what_takes_twice_the_room_whenever_it_is_full_rises_in_ever_larger_stairs(first, noise):
    """Seen: a buffer that doubles, 20 kB at each step, and "memory: flat"."""
    room = first * 2 ** np.ceil(np.log2(np.maximum(STEPS, first) / first))
    values = 2e4 * room + np.random.default_rng(first).normal(0, noise, len(STEPS))
    assert found(values, least=200_000) is None and larger(values)


@pytest.mark.parametrize(
    "values",
    (
        np.full(len(STEPS), 5e6),
        5e6 * (STEPS >= 200),
        5e6 * (STEPS >= 100) + 9e6 * (STEPS >= 300),
        6e6 * (STEPS // 100),  # four sizes of picture
        8e6 * (1 - 0.5 ** (STEPS // 60)),  # smaller and smaller
        2e6 * 2.0 ** np.minimum(STEPS // 40, 4),  # a store that was full before half of the run
        3e6 * 2.0 ** (STEPS // 80) * (STEPS % 160 < 80),  # and falls back
        2e4 * STEPS,
    ),
    ids=("rests", "once", "twice", "alike", "smaller", "full", "falls", "steady"),
)
def test_other_rises_are_no_ever_larger_stairs(values):
    assert not larger(values)


def test_stairs_of_a_healthy_script_are_not_ever_larger():
    steps = [2, 38, 72, 107, 144, 176, 213, 250, 285, 322, 360, 396, 435, 474, 500, 776]
    read = [112.2, *[112.4] * 6, 118.8, *[118.9] * 6, 124.6, 130.8]
    assert not larger(1e6 * np.array(read), steps=steps)


@pytest.mark.parametrize("seed", range(20))
def test_noise_is_no_ever_larger_stairs(seed):
    noise = np.random.default_rng(seed).normal(0, 3e5, len(STEPS))
    assert not larger(noise) and not larger(np.cumsum(np.abs(noise)))
