"""The series with known truth are what they say they are. Tier: make test."""

from __future__ import annotations

import numpy as np
import pytest

from labkit.record import LABELS
from tests.stats.families import BASE_SECONDS, series
from tests.stats.noises import NOISES
from tests.stats.truths import TRUTHS

MEMORY = {"memory .6": 0.6, "memory .9": 0.9, "memory .7, heavy tails": 0.7, "ARMA": 0.756}


def logarithms(noise: str, *, count: int = 60) -> np.ndarray:
    """Return flat series of a noise as logarithms over the base, shape (count, 150)."""
    drawn = [series("flat", noise, 150, index).seconds for index in range(count)]
    return np.log(np.stack(drawn) / BASE_SECONDS)


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("steps", [30, 150, 1501])
def test_every_series_is_a_pure_function_of_its_arguments(truth, steps):
    for noise in NOISES:
        one, again = (series(truth, noise, steps, 3) for _ in range(2))
        other = series(truth, noise, steps, 4)
        assert np.array_equal(one.seconds, again.seconds)
        assert not np.array_equal(one.seconds, other.seconds)
        assert one.seconds.shape == one.truth.clean.shape == (steps,)
        assert np.isfinite(one.seconds).all() and (one.seconds > 0).all()
        assert one.truth.label in LABELS


@pytest.mark.parametrize("noise", NOISES)
def test_no_noise_moves_the_middle_or_tilts_the_series(noise):
    """Flat must be flat: over many series no half is slower than the other."""
    halves = np.median(logarithms(noise).reshape(60, 2, 75), axis=2)
    assert np.abs(np.median(halves)) < 0.06
    difference = halves[:, 1] - halves[:, 0]
    # Three standard errors, and more than nothing where a coarse clock gives no difference at all.
    assert abs(difference.mean()) <= 3 * difference.std() / np.sqrt(60) + 1e-9


@pytest.mark.parametrize(("noise", "memory"), MEMORY.items())
def test_noise_that_remembers_has_its_memory_and_its_size(noise, memory):
    values = logarithms(noise, count=200)
    lag = (values[:, 1:] * values[:, :-1]).mean() / (values**2).mean()
    assert lag == pytest.approx(memory, abs=0.03)
    assert values.std() == pytest.approx(0.05, rel=0.06)


@pytest.mark.parametrize(("noise", "share"), [("neighbour", 0.15), ("short bursts", 0.12)])
def test_bursts_fill_their_share(noise, share):
    assert (logarithms(noise, count=200) > 0.08).mean() == pytest.approx(share, abs=0.02)


def test_a_coarse_clock_shows_few_different_times():
    assert len(np.unique(logarithms("coarse clock")[0])) < 10


@pytest.mark.parametrize("truth", ["linear", "quadratic", "late onset", "step up"])
def test_growth_is_last_over_first_and_changes_nothing_else(truth):
    small, large = (series(truth, "normal 5 %", 150, 1, growth=growth) for growth in (0.1, 1.0))
    for one, growth in ((small, 0.1), (large, 1.0)):
        clean = one.truth.clean
        assert one.truth.growth == growth
        assert clean[-1] / clean[0] - 1 == pytest.approx(growth)
        assert (clean[: one.truth.onset] == 1).all()
    noise = [one.seconds / one.truth.clean for one in (small, large)]
    assert noise[0] == pytest.approx(noise[1])


@pytest.mark.parametrize("truth", [name for name in TRUTHS if name.startswith("warm-up")])
def test_growth_counts_from_the_end_of_the_warm_up(truth):
    for index in range(20):
        drawn = series(truth, "normal 1 %", 150, index).truth
        assert 0 < drawn.warmup <= 75
        rest = drawn.clean[drawn.warmup :]
        assert drawn.growth == pytest.approx(rest[-1] / rest[0] - 1, abs=0.025)
        assert drawn.clean[0] > 1.15 * rest[0]


def test_periodic_spikes_keep_their_period():
    for index in range(20):
        drawn = series("periodic spikes", "normal 1 %", 150, index).truth
        places = np.flatnonzero(drawn.clean != 1)
        assert len(places) >= 5
        assert set(np.diff(places)) == {drawn.period}


def test_an_unsteady_level_goes_up_and_down_and_never_stays():
    for index in range(20):
        clean = series("unsteady", "normal 1 %", 150, index).truth.clean
        changes = np.diff(np.log(clean))
        changes = changes[changes != 0]
        assert 4 <= len(changes) <= 7
        assert (changes[1:] * changes[:-1] < 0).all()
        assert np.abs(changes).min() > 0.18
        assert np.bincount(np.unique(clean, return_inverse=True)[1]).max() < 0.65 * 150
