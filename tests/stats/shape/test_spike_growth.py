"""Spikes that grow are told so, with how much; spikes that only differ are not."""

import numpy as np
import pytest

from labkit.stats import judge
from labkit.stats.shape.spikes import rising, spike_growth
from tests.stats import known


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("steps", [150, 400, 3000])
def test_teeth_that_grow_are_told_with_their_size(seed, steps):
    verdict = judge(known.longer_teeth(known.white(steps, seed, 0.03), 10, 3.0, 12.0).seconds)
    assert verdict.label == "spikes"
    assert verdict.spikes.first_seconds, verdict
    # Straight growth bends in the logarithm, and the trend is the median slope.
    assert 3.0 <= verdict.spikes.last_seconds / verdict.spikes.first_seconds <= 5.5


def test_teeth_that_shrink_are_told_too():
    verdict = judge(known.longer_teeth(known.white(200, 1, 0.03), 10, 12.0, 3.0).seconds)
    assert verdict.spikes.last_seconds < verdict.spikes.first_seconds


@pytest.mark.parametrize("noise", [known.white, known.skewed, known.two_speeds, known.memory])
def test_teeth_of_one_height_do_not_grow(noise):
    for seed in range(20):
        verdict = judge(known.combed(noise(200, seed), 10, 5.0).seconds)
        assert verdict.spikes.first_seconds is None, verdict


def test_teeth_of_any_height_in_any_order_do_not_grow():
    told = 0
    for seed in range(60):
        series = known.flat(known.white(200, seed, 0.02))
        heights = np.exp(np.random.default_rng(seed).uniform(np.log(2), np.log(20), 20))
        series.seconds[5::10] *= heights
        spikes = judge(series.seconds).spikes
        told += spikes is not None and spikes.first_seconds is not None
    assert told <= 2


def test_five_spikes_are_too_few_to_grow():
    mask = np.zeros(100, dtype=bool)
    mask[[10, 30, 50, 70, 90]] = True
    values = np.where(mask, np.linspace(1, 3, 100), 0.0)
    assert spike_growth(values, mask) is None
    mask[99] = True
    values[99] = 3.5
    first, last = spike_growth(values, mask)
    assert 1.0 <= first <= 1.4 and 2.7 <= last <= 3.6


def heights(*logarithms: float, steps: int = 200) -> tuple[np.ndarray, np.ndarray]:
    mask = np.zeros(steps, dtype=bool)
    mask[np.linspace(10, steps - 10, len(logarithms)).astype(int)] = True
    values = np.zeros(steps)
    values[mask] = logarithms
    return values, mask


@pytest.mark.parametrize("spikes", [(2.0, 2.3, 2.6, 2.9), (2.0, 2.3, 2.6, 2.9, 3.2)])
def test_four_spikes_in_rising_order_may_grow(spikes):
    """Recorded: four and five that got longer each time were not told at all."""
    values, mask = heights(*spikes)
    assert spike_growth(values, mask) is None
    assert rising(values, mask) == pytest.approx(spikes[-1] - spikes[0], abs=0.01)


@pytest.mark.parametrize(
    "spikes",
    [
        (2.0, 2.5, 3.0),  # one of six orders
        (2.0, 2.6, 2.3, 2.9),  # four of 24
        (2.0, 3.2, 2.3, 2.9, 2.6),
        (2.9, 2.6, 2.3, 2.0),
        (2.0, 2.1, 2.2, 2.3),  # the last takes 1.35 times as long as the first
        (2.0, 2.0, 2.0, 2.0),
        (),
    ],
)
def test_what_chance_orders_often_does_not(spikes):
    assert rising(*heights(*spikes)) == 0


def test_a_burst_of_neighbours_is_one_spike():
    values, mask = heights(2.0, 2.5, 3.0)
    mask[191:194], values[191:194] = True, (3.1, 3.2, 3.3)
    assert rising(values, mask) == 0


def test_chance_orders_four_random_spikes_so_once_in_24_times():
    random = np.random.default_rng(1)
    told = sum(rising(*heights(*random.uniform(1, 4, 4))) > 0 for _ in range(2400))
    assert 60 <= told <= 140
