"""Tests for a trend, as rivals: each in the way its users use it, at a two-sided 1 %.

They have one word for growth and none for its shape.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pymannkendall
from scipy.stats import linregress
from scipy.stats import t as student

from labkit.record import Verdict
from labkit.record.verdict import Label
from tests.stats.noises import Numbers
from tools.bench.method import Method, claim
from tools.bench.theil_sen import slope

ALPHA = 0.01
SMALLEST_GROWTH = 0.05


def least_squares(seconds: Numbers) -> Verdict:
    """Fit a line to the times and ask Student's t whether it rises."""
    steps = np.arange(len(seconds))
    line = linregress(steps, seconds)
    to_growth = (len(seconds) - 1) / float(line.intercept)
    half = float(student.ppf(0.975, len(seconds) - 2) * line.stderr)
    rise = float(line.slope)
    # Giants at the end can push the fitted first level below zero.
    low, high = sorted(((rise - half) * to_growth, (rise + half) * to_growth))
    return _trend(line.pvalue < ALPHA, rise, rise * to_growth, low, high)


def mann_kendall(seconds: Numbers) -> Verdict:
    """Compare all pairs; independent noise is assumed."""
    return _found(pymannkendall.original_test(seconds, alpha=ALPHA))


def hamed_rao(seconds: Numbers) -> Verdict:
    """Compare all pairs, the variance corrected for noise that remembers (Hamed and Rao 1998).

    The corrected variance can come out negative; the package then answers "no trend", and so do we.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return _found(pymannkendall.hamed_rao_modification_test(seconds, alpha=ALPHA))


def theil_sen_bootstrap(seconds: Numbers) -> Verdict:
    """Ask the block bootstrap whether the median slope of the logarithms is 5 % and no noise."""
    found = slope(np.log(seconds))
    last = len(seconds) - 1
    low, high = found.interval(ALPHA)
    growth, lower, upper = (
        math.expm1(each * last) for each in (found.value, *found.interval(0.05))
    )
    # Falling by 5 % is rising by 5 % read backwards.
    significant = (low > 0 or high < 0) and abs(found.value * last) >= math.log1p(SMALLEST_GROWTH)
    return _trend(significant, found.value, growth, lower, upper)


def _found(answer: Any) -> Verdict:
    words: dict[str, Label] = {"increasing": "slowdown", "decreasing": "speedup"}
    return claim(words.get(answer.trend, "flat"))


def _trend(significant: bool, rise: float, growth: float, low: float, high: float) -> Verdict:
    label: Label = "flat" if not significant else "slowdown" if rise > 0 else "speedup"
    return claim(label, growth=growth, low=low, high=high)


WORDS: tuple[Label, ...] = ("slowdown", "speedup")
# All pairs of 100,000 steps are five thousand million.
METHODS = (
    Method("OLS", least_squares, WORDS),
    Method("Mann-Kendall", mann_kendall, WORDS, most_steps=1_500),
    Method("Hamed-Rao", hamed_rao, WORDS, most_steps=1_500),
    Method("Theil-Sen bootstrap", theil_sen_bootstrap, WORDS, most_steps=1_500),
)
