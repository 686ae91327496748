"""Other people's packages agree where they answer the same question. Tier: make test.

They are test-time witnesses only; labkit itself does without them.
"""

from __future__ import annotations

import numpy as np
import pymannkendall
import pytest
import ruptures

from labkit.stats import judge
from labkit.stats.shape.changepoints import best_edges
from tests.stats.families import series

TRENDS = {"increasing": "slowdown", "decreasing": "speedup"}


def assert_levels_agree(values: np.ndarray, *, most: int, shortest: int) -> None:
    """Compare our edges for 1, 2, ... levels with those of ruptures' exact search.

    With jump=1: by default it only looks at every fifth place.
    """
    search = ruptures.Dynp(model="l2", min_size=shortest, jump=1).fit(values)
    fits = best_edges(values, most=most, shortest=shortest)
    assert len(fits) == most
    for count, edges in enumerate(fits[1:], start=1):
        assert edges == (0, *search.predict(n_bkps=count))


@pytest.mark.parametrize("truth", ["flat", "step up", "unsteady", "linear"])
@pytest.mark.parametrize("noise", ["normal 5 %", "memory .9", "neighbour"])
def test_levels_are_those_of_ruptures(truth, noise):
    values = np.log(series(truth, noise, 90, 0).seconds)
    assert_levels_agree(values, most=5, shortest=8)


@pytest.mark.parametrize("truth", ["linear", "quadratic", "speeding up"])
@pytest.mark.parametrize("noise", ["normal 5 %", "one-sided", "two speeds", "heavy tails"])
def test_clear_trends_have_the_sign_that_mann_kendall_gives(truth, noise):
    """Where a test that knows only the sign is sure, we are, and of the same sign."""
    for index in range(4):
        seconds = series(truth, noise, 150, index, growth=0.5).seconds
        answer = pymannkendall.original_test(seconds, alpha=1e-6)
        assert answer.h
        assert judge(seconds).label == TRENDS[answer.trend], index
