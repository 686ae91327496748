"""Each fast part against a slow, plain twin."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest

from labkit.stats import standard_error
from labkit.stats.noise import autocorrelation, drawn_in, lower_quartile, median
from labkit.stats.series import joined
from labkit.stats.shape import warmup
from labkit.stats.shape.changepoints import levels_at
from labkit.stats.shape.decay import find_decay
from labkit.stats.shape.shape import between_levels
from labkit.stats.shape.shapes import ONSETS, RATES, SHAPES, advances, fit_all
from labkit.stats.shape.spikes import wandering_comb
from labkit.stats.shape.trend import fit_trend
from tests.stats import known


def plain_standard_error(weights, residuals, fitted):
    n = len(residuals)
    count = {30: 3, 77: 7, 150: 11}[n]
    powers = []
    for wave in range(1, count + 1):
        total = 0.0
        for step in range(n):
            angle = math.pi * wave * (step + 0.5) / n
            total += math.sqrt(2 / n) * math.cos(angle) * n * weights[step] * residuals[step]
        powers.append(total**2)
    # The mean power is the long-run variance of the products; their sum over n varies by 1/n.
    return math.sqrt(sum(powers) / count / n * n / (n - fitted))


def plain_memory_error(weights, residuals, fitted):
    n = len(residuals)
    raw = sum(a * b for a, b in itertools.pairwise(residuals)) / sum(r * r for r in residuals)
    rho = min(0.97, max(0, raw + (fitted + (fitted + 2) * raw) / n))
    variance = sum(r * r for r in residuals) / (n - fitted)
    return math.sqrt(variance * (1 + rho) / (1 - rho) * sum(w * w for w in weights))


@pytest.mark.parametrize("steps", [30, 77, 150])
@pytest.mark.parametrize("noise", [known.white, known.memory])
def test_standard_error_is_the_larger_of_two_plain_sums(steps, noise):
    position = np.linspace(0, 1, steps)
    weights = (position - position.mean()) / ((position - position.mean()) ** 2).sum()
    residuals = noise(steps, 3)
    residuals = residuals - residuals.mean()
    expected = max(
        plain_standard_error(weights, residuals, 2), plain_memory_error(weights, residuals, 2)
    )
    assert standard_error(weights, residuals, 2) == pytest.approx(expected, rel=1e-9)


def test_the_autocorrelation_is_freed_of_its_bias():
    series = [known.memory(150, seed, rho=0.6) for seed in range(100)]
    estimates = [autocorrelation(values - values.mean(), 1) for values in series]
    assert np.mean(estimates) == pytest.approx(0.6, abs=0.03)


def plain_mser(values):
    n = len(values)
    found = []
    for cut in range(n // 2 + 1):
        rest = values[cut:]
        position = np.arange(len(rest))
        left = rest - np.polyval(np.polyfit(position, rest, 1), position)
        found.append((left @ left) / len(rest) ** 2)
    return np.array(found)


@pytest.mark.parametrize("steps", [30, 61, 200])
def test_mser_by_running_sums_is_that_of_one_fit_a_cut(steps):
    values = known.white(steps, 5) + 0.3 * np.exp(-np.arange(steps) / 8)
    assert warmup.mser(values) == pytest.approx(plain_mser(values), rel=1e-3, abs=1e-8)


def plain_shape(shape, onset, rate, rise, position):
    gain = math.exp(rise) - 1
    if shape == "line":
        return rise * position
    if shape == "settling":
        come = (1 - math.exp(-rate * position)) / (1 - math.exp(-rate))
    elif shape == "late":
        come = max(0.0, position - onset) / (1 - onset)
    else:
        come = position ** {"ramp": 1, "rush": 2}[shape]
    return math.log(1 + gain * come)


@pytest.mark.parametrize("row", range(len(SHAPES)))
@pytest.mark.parametrize("growth", [-0.4, 0.0, 2.0])
def test_every_shape_is_the_best_of_a_fine_search(row, growth):
    shape = SHAPES[row]
    rate = RATES[row - SHAPES.index(shape)] if shape == "settling" else 0.0
    onset = ONSETS[row - SHAPES.index(shape)] if shape == "late" else 0.0
    position = np.linspace(0, 1, 60)
    truth = [plain_shape(shape, onset, rate, math.log(1 + growth), at) for at in position]
    values = np.asarray(truth) + known.white(60, 7)
    best, found = math.inf, None
    for rise in math.log(1 + growth) + np.linspace(-0.2, 0.2, 201):
        left = values - [plain_shape(shape, onset, rate, rise, at) for at in position]
        squares = ((left - left.mean()) ** 2).sum()
        if squares < best:
            best, found = squares, rise
    fits = fit_all(advances(position), values)
    assert fits.rises[row] == pytest.approx(found, abs=2.1e-3)
    assert ((values - fits.fitted[row]) ** 2).sum() <= best + 1e-9


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3])
def test_a_line_drawn_in_balances_its_limited_residuals(share):
    """What Huber's estimate means: no further move makes the limited residuals smaller."""
    position = np.linspace(0, 1, 200)
    values = 0.4 * position + known.white(200, 9)
    values[: int(200 * share)] += 0.5
    values = np.random.default_rng(9).permutation(values - 0.4 * position) + 0.4 * position
    trend = fit_trend(position, values, alpha=0.005, gate=5.0)
    limited = drawn_in(values - trend.fitted).residuals
    assert abs(limited.mean()) < 0.004
    assert abs(np.corrcoef(limited, position)[0, 1]) < 0.05
    assert trend.rise == pytest.approx(0.4, abs=0.06)


def test_residuals_are_drawn_in_one_by_one():
    residuals = known.skewed(99, 10) - 0.05
    middle = sorted(residuals)[49]
    reach = 1.5 * 1.4826 * sorted(abs(value - middle) for value in residuals)[49]
    limited = drawn_in(residuals)
    assert limited.residuals == pytest.approx([max(-reach, min(reach, r)) for r in residuals])
    assert limited.share == pytest.approx(sum(abs(r) <= reach for r in residuals) / 99)


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 5, 30, 77])
def test_median_and_lower_quartile_are_numpys(steps):
    values = known.white(steps, 11)
    assert median(values) == pytest.approx(float(np.median(values)), abs=1e-15)
    assert lower_quartile(values) == pytest.approx(float(np.quantile(values, 0.25)), abs=1e-15)


@pytest.mark.parametrize("seed", range(3))
def test_a_decay_is_the_best_of_one_fit_a_time(seed):
    steps = np.arange(120)
    points = 0.8 * np.exp(-steps / 6) + known.white(120, seed, 0.02)
    position = np.linspace(-1, 1, 120)
    best, found = math.inf, None
    for time in (1.25**power for power in range(13)):
        design = np.stack([np.exp(-steps / time), position**0, position, position**2], axis=1)
        fitted, squares, _, _ = np.linalg.lstsq(design, points, rcond=None)
        if squares[0] < best:
            best, found = squares[0], (time, fitted[0])
    decay = find_decay(points)
    assert decay is not None
    assert decay.time == pytest.approx(found[0])
    assert decay.height == pytest.approx(found[1], abs=0.03)


def plain_wandering_period(mask):
    places = [
        place for place in range(len(mask)) if mask[place] and not (place and mask[place - 1])
    ]
    gaps = [after - before for before, after in itertools.pairwise(places)]
    alike = max(
        ([other for other in gaps if abs(other - gap) <= 0.3 * gap] for gap in gaps), key=len
    )
    middle = sum(alike) / len(alike)
    near = [gap for gap in gaps if abs(gap - middle) <= 0.3 * middle]
    return sum(near) / len(near)


@pytest.mark.parametrize("seed", range(4))
def test_a_wandering_period_is_the_mean_of_like_gaps(seed):
    random = np.random.default_rng(seed)
    mask = np.zeros(400, dtype=bool)
    mask[np.cumsum(random.integers(16, 25, 18))] = True
    mask[int(random.integers(0, 400))] = True
    found = wandering_comb(mask)
    assert found is not None
    assert found.period == pytest.approx(plain_wandering_period(mask))


def test_spikes_by_chance_are_no_comb_and_take_little_memory_however_many():
    mask = np.random.default_rng(0).random(300_000) < 0.2
    tracemalloc.start()
    try:
        assert wandering_comb(mask) is None
        assert tracemalloc.get_traced_memory()[1] < 50e6  # a table of all pairs took 18 GB
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("steps", [10, 500, 501, 1777])
def test_joined_points_are_medians_of_neighbours(steps):
    values = known.white(steps, 8)
    points, width = joined(values)
    whole = [values[start : start + width] for start in range(0, steps - width + 1, width)]
    expected = [float(np.median(part)) for part in whole]
    expected[-1] = float(np.median(values[width * (len(whole) - 1) :]))
    assert points == pytest.approx(expected)
    assert len(points) <= 500


def test_between_levels_stand_where_the_limited_residuals_balance():
    """A burst of eight steps moves a mean of forty by a tenth of itself, a balanced level less."""
    values = 0.2 * (np.arange(80) >= 40) + known.white(80, 12, 0.02)
    values[60:68] += 0.3
    levels = levels_at(values, (0, 40, 80))
    start, rise, error = between_levels(values, levels)
    balanced = values - np.where(np.arange(80) < 40, start, start + rise)
    limited = drawn_in(balanced).residuals
    assert abs(limited[:40].mean()) < 1e-3 and abs(limited[40:].mean()) < 1e-3
    assert abs(rise - 0.2) < abs(levels.changes[0] - 0.2) / 2
    assert 0 < error < 0.03
