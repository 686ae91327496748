"""Two loops run by turns: the interval has the spread between processes in it.

Tier: quick.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from labkit.stats.paired_ratio import FEWEST_PAIRS, FEWEST_STEPS, PairedRatio, paired_ratio

STEPS = 40


def pairs(
    random: np.random.Generator, count: int, truth: float, *, between: float, within: float = 0.02
) -> list[tuple[list[float], list[float]]]:
    """Return pairs of runs; processes differ by `between`, the steps of one by `within`."""

    def steps(level: float) -> list[float]:
        process = level * math.exp(random.normal(0, between))
        return list(process * np.exp(random.normal(0, within, STEPS)))

    machine = np.exp(random.normal(0, 0.5, count))  # it may be three times as slow for one pair
    return [(steps(0.01 * each), steps(0.01 * each * truth)) for each in machine]


def found(made: list[tuple[list[float], list[float]]]) -> PairedRatio:
    said = paired_ratio(made)
    assert said is not None
    return said


def test_two_loops_alike_are_seldom_called_different_however_much_processes_differ() -> None:
    random = np.random.default_rng(0)
    told = [found(pairs(random, 6, 1.0, between=0.1)).different for _ in range(2_000)]
    assert sum(told) <= 30  # one in a hundred, and its chance


def test_an_interval_covers_the_truth_in_95_of_100_cases() -> None:
    random = np.random.default_rng(1)
    said = [found(pairs(random, 6, 1.2, between=0.05)) for _ in range(2_000)]
    assert 0.93 <= np.mean([each.low <= 1.2 <= each.high for each in said]) <= 0.97


def test_a_difference_of_a_quarter_is_found_between_processes_that_differ_by_5_percent() -> None:
    random = np.random.default_rng(2)
    told = [found(pairs(random, 6, 1.25, between=0.05)).different for _ in range(500)]
    assert np.mean(told) > 0.95


def test_a_difference_of_two_percent_is_not_worth_saying_however_sure_it_is() -> None:
    random = np.random.default_rng(3)
    said = found(pairs(random, 30, 1.02, between=0.001))
    assert said.low > 1 and not said.different


def test_the_ratio_is_that_of_a_slow_plain_twin() -> None:
    made = pairs(np.random.default_rng(4), 5, 0.7, between=0.05)
    ratios = []
    for one, other in made:
        calm = [sorted(run[STEPS // 10 :]) for run in (one, other)]
        middle = [(run[len(run) // 2 - 1] + run[len(run) // 2]) / 2 for run in calm]
        ratios.append(middle[1] / middle[0])
    said = found(made)
    assert said.ratio == pytest.approx(math.prod(ratios) ** (1 / 5))
    assert said.pairs == 5 and said.low < said.ratio < said.high


def test_the_other_way_round_it_is_the_inverse() -> None:
    made = pairs(np.random.default_rng(5), 4, 1.5, between=0.05)
    one, other = found(made), found([(second, first) for first, second in made])
    assert other.ratio == pytest.approx(1 / one.ratio)
    assert (other.low, other.high) == pytest.approx((1 / one.high, 1 / one.low))


@pytest.mark.parametrize("count", range(FEWEST_PAIRS))
def test_fewer_than_three_pairs_tell_nothing(count: int) -> None:
    made = pairs(np.random.default_rng(6), 3, 1.5, between=0.05)
    assert paired_ratio(list(itertools.islice(made, count))) is None


@pytest.mark.parametrize("steps", [0, FEWEST_STEPS - 1])
def test_a_run_of_too_few_steps_tells_nothing(steps: int) -> None:
    made = pairs(np.random.default_rng(7), 3, 1.5, between=0.05)
    assert paired_ratio([*made, ([0.01] * STEPS, [0.01] * steps)]) is None
