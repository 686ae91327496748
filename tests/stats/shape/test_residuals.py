"""A growth of any bend has its ends where its points are."""

import numpy as np
import pytest

from labkit.stats import judge
from labkit.stats.shape.residuals import mended
from labkit.stats.shape.shapes import advances
from labkit.stats.shape.trend import fit_trend
from tests.stats import known


def ends(seconds, verdict):
    """The first and the last fifteen steps over the fitted first and last level."""
    middle = [np.median(seconds[verdict.warmup_steps :][:15]), np.median(seconds[-15:])]
    return np.array(middle) / [verdict.first_seconds, verdict.last_seconds]


@pytest.mark.parametrize("power", [0.5, 0.7, 1.3, 3.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_levels_of_a_bent_growth_lie_where_its_points_are(power, seed):
    """The nearest of a few bends alone said 3.6x of a growth of 3.1x."""
    series = known.ramp(known.white(300, seed, 0.02), 2.1, power=power)
    verdict = judge(series.seconds)
    assert verdict.label == "slowdown"
    # Over the first fifteen of 300 steps the root of the steps rises by a third.
    within = 0.2 if power < 1 else 0.08
    assert ends(series.seconds, verdict) == pytest.approx([1, 1], abs=within)


@pytest.mark.parametrize("seed", range(6))
def test_the_levels_of_a_growth_that_hurries_in_the_middle_lie_where_its_points_are(seed):
    series = known.s_curve(known.white(300, seed, 0.02), 2.1)
    verdict = judge(series.seconds)
    assert verdict.label == "slowdown"
    assert ends(series.seconds, verdict) == pytest.approx([1, 1], abs=0.08)
    assert verdict.growth + 1 == pytest.approx(3.1, rel=0.06)


def shape_of(values, shape="ramp"):
    position = np.linspace(0, 1, len(values))
    trend = fit_trend(position, values, alpha=0.005, gate=5.0)
    assert trend.shape == shape
    return position, trend


def test_a_mended_trend_is_the_least_squares_fit_of_shape_and_polynomials():
    values = np.log(known.s_curve(known.white(300, 1, 0.01), 2.0).seconds)
    position, trend = shape_of(values)
    better = mended(position, values, trend)
    assert better.parameters > trend.parameters
    left = values - better.fitted
    # What is left has nothing more of a bow or of an S.
    for degree in (0, 1, 2):
        assert abs(np.corrcoef(left, position ** (degree + 1))[0, 1]) < 0.2
    assert left.std() < (values - trend.fitted).std()
    assert better.rise == pytest.approx(better.fitted[-1] - better.fitted[0], abs=0.03)


@pytest.mark.parametrize("noise", [known.white, known.memory, known.skewed, known.neighbour])
def test_a_trend_that_fits_is_left_alone(noise):
    """Neither noise that remembers nor a burst may bend it."""
    changed = 0
    for seed in range(20):
        values = np.log(known.ramp(noise(150, seed), 1.0).seconds)
        position = np.linspace(0, 1, 150)
        trend = fit_trend(position, values, alpha=0.005, gate=5.0)
        changed += mended(position, values, trend) is not trend
    assert changed <= 2


def test_every_bend_of_a_shape_chosen_is_tried():
    """A rate between two that are offered is found, and with it the rise."""
    position = np.linspace(0, 1, 300)
    for rate in (1.5, 5.0, 7.0):
        come = np.expm1(-rate * position) / np.expm1(-rate)
        values = np.log1p(1.5 * come) + known.white(300, 3, 0.01)
        trend = fit_trend(position, values, alpha=0.005, gate=5.0)
        assert trend.shape == "settling"
        assert trend.rate == pytest.approx(rate, rel=0.35)
        assert trend.rise == pytest.approx(np.log(2.5), abs=0.02)
    assert len(advances(position)) == 13


def test_other_shapes_as_likely_make_the_growth_less_certain():
    """A late ramp of a quarter looks like a bow; the interval must know of both."""
    inside, steps = 0, 150
    for seed in range(60):
        series = known.late_ramp(known.white(steps, seed), 0.25, 70)
        verdict = judge(series.seconds)
        inside += verdict.low <= series.growth <= verdict.high
    assert inside >= 50
