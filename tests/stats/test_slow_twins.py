"""Each fast part against a slow, plain twin."""

import itertools
import math

import numpy as np
import pytest

from labkit.stats import standard_error, warmup
from labkit.stats.levels import best_edges
from labkit.stats.noise import autocorrelation, cosines
from labkit.stats.series import joined
from labkit.stats.trend import fit_polynomial, fit_ramp
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


def test_standard_error_of_a_mean_is_right_under_independent_noise():
    """Of many means of 100 draws, about 95 % lie within two standard errors."""
    weights = np.full(100, 1 / 100)
    errors = [
        standard_error(weights, (draws := known.white(100, seed)) - draws.mean(), 1)
        for seed in range(200)
    ]
    assert np.mean(errors) == pytest.approx(0.05 / 10, rel=0.15)


def test_the_autocorrelation_is_freed_of_its_bias():
    series = [known.memory(150, seed, rho=0.6) for seed in range(100)]
    estimates = [autocorrelation(values - values.mean(), 1) for values in series]
    assert np.mean(estimates) == pytest.approx(0.6, abs=0.03)


def test_the_number_of_cosines_is_the_papers():
    assert [cosines(n) for n in (30, 100, 150, 1000)] == [3, 8, 11, 40]


def plain_best_edges(values, count, shortest):
    best, found = math.inf, None
    for inner in itertools.combinations(range(1, len(values)), count - 1):
        edges = (0, *inner, len(values))
        parts = [values[a:b] for a, b in itertools.pairwise(edges)]
        if min(map(len, parts)) < shortest:
            continue
        cost = sum(((part - part.mean()) ** 2).sum() for part in parts)
        if cost < best - 1e-12:
            best, found = cost, edges
    return best, found


@pytest.mark.parametrize("seed", range(4))
def test_levels_by_dynamic_programming_are_those_of_brute_force(seed):
    values = known.white(22, seed, 1.0)
    values[9:] += 1.5
    fits = best_edges(values, most=4, shortest=3)
    assert len(fits) == 4
    for count, edges in enumerate(fits, start=1):
        _, expected = plain_best_edges(values, count, 3)
        assert edges == expected


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


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_polynomials_are_numpys(degree):
    position = np.linspace(0, 1, 80)
    values = known.white(80, 6) + position
    trend = fit_polynomial(position, values, degree)
    ends = np.polyval(np.polyfit(position, values, degree), [0, 1])
    assert trend.start == pytest.approx(ends[0])
    assert trend.rise == pytest.approx(ends[1] - ends[0])


@pytest.mark.parametrize("power", [1, 2])
def test_a_ramp_is_the_best_of_a_fine_search(power):
    position = np.linspace(0, 1, 80)
    values = np.log(1 + 2 * position**power) + known.white(80, 7)
    tries = np.linspace(0.5, 2.0, 1501)
    shapes = np.log(1 + np.expm1(tries)[:, None] * position**power)
    left = values - shapes
    left -= left.mean(axis=1, keepdims=True)
    expected = tries[np.argmin((left**2).sum(axis=1))]
    assert fit_ramp(position, values, power=power).rise == pytest.approx(expected, abs=1.5e-3)


@pytest.mark.parametrize("steps", [10, 500, 501, 1777])
def test_joined_points_are_medians_of_neighbours(steps):
    values = known.white(steps, 8)
    points, width = joined(values)
    whole = [values[start : start + width] for start in range(0, steps - width + 1, width)]
    expected = [float(np.median(part)) for part in whole]
    expected[-1] = float(np.median(values[width * (len(whole) - 1) :]))
    assert points == pytest.approx(expected)
    assert len(points) <= 500
