"""A few times are told to rise where their order says so, and nowhere else.

Tier: make test, in turn.
"""

from __future__ import annotations

import numpy as np
import pytest

from labkit.record import LabkitError
from labkit.stats.few import judge_few

pytestmark = pytest.mark.in_turn

SERIES = 1_000


def slower(times: np.ndarray[tuple[int], np.dtype[np.float64]]) -> bool:
    return judge_few(times).label == "slowdown"


@pytest.mark.parametrize("count", [6, 10, 25])
def test_of_a_thousand_steady_series_few_are_told_to_rise(count: int) -> None:
    random = np.random.default_rng(count)
    told = sum(slower(np.exp(random.normal(0, 0.3, count))) for _ in range(SERIES))
    assert told <= 0.01 * SERIES


@pytest.mark.parametrize("count", [8, 12, 25])
def test_most_that_double_in_noise_of_a_twentieth_are_told_to_rise_and_the_interval_has_the_truth(
    count: int,
) -> None:
    random = np.random.default_rng(count)
    verdicts = [
        judge_few(np.linspace(1.0, 2.0, count) * random.normal(1, 0.05, count))
        for _ in range(SERIES)
    ]
    found = [each for each in verdicts if each.label == "slowdown"]
    assert len(found) >= 0.95 * SERIES
    held = sum((each.low or 0) <= 1.0 <= (each.high or 0) for each in found)
    assert held >= 0.9 * len(found)


def test_a_rise_of_a_tenth_is_a_machine_s_and_five_times_are_too_few() -> None:
    assert judge_few(np.linspace(1.0, 1.1, 20)).label == "too_short"
    assert judge_few(np.linspace(1.0, 9.0, 5)).label == "too_short"
    assert judge_few(np.linspace(9.0, 1.0, 20)).label == "too_short"


def test_one_late_outlier_is_no_rise() -> None:
    assert judge_few([1.0, 1.1, 0.9, 1.0, 1.05, 0.95, 1.0, 30.0]).label == "too_short"


def test_a_time_below_zero_is_refused() -> None:
    with pytest.raises(LabkitError, match="above zero"):
        judge_few([1.0, -1.0])
