"""The rivals of our verdict, each in the way its users use it, in our words.

Tests for a trend, at a two-sided 1 %, have one word for growth and none for its shape. Methods that
cut a series into levels were made for results of many commits; a level up is what they call a
regression.
"""

from __future__ import annotations

import math
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pymannkendall
from scipy.stats import linregress
from scipy.stats import t as student

from labkit.record import Verdict
from labkit.record.verdict import Label
from tests.stats.noises import Numbers

ALPHA = 0.01
SMALLEST_GROWTH = 0.05
DRAWS = 199
BLOCK = 1.75
OTAVA = "0.8.0"
OTAVA_FOLDER = Path(__file__).parents[3] / "bench-out" / f"otava-{OTAVA}"


@dataclass(frozen=True)
class Method:
    """One method.

    Args:
        name: What it is called in a table.
        judge: Step times in, a verdict out.
        labels: What it can say beside ``flat``; what it has no word for is not held against it.
        most_steps: The longest series it bears in a few seconds.
    """

    name: str
    judge: Callable[[Numbers], Verdict]
    labels: tuple[Label, ...]
    most_steps: int = 100_000


def claim(label: Label, **found: Any) -> Verdict:
    """Return what a rival claims, in our words; what it says nothing of is left out."""
    return Verdict(label, **{"growth": None, "low": None, "high": None, **found})


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
    found = theil_sen(np.log(seconds))
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


@dataclass(frozen=True)
class Slope:
    """A slope per step, and the bootstrap's slopes around zero, sorted, shape (DRAWS,)."""

    value: float
    noise: Numbers

    def interval(self, chance: float) -> tuple[float, float]:
        """Return the basic bootstrap interval that misses with a chance."""
        low, high = np.quantile(self.noise, [chance / 2, 1 - chance / 2])
        return self.value - float(high), self.value - float(low)


def theil_sen(values: Numbers) -> Slope:
    """Return the slope of a series of shape (steps,); the same series gives the same draws.

    The median of all slopes between two points (Sen 1968) hardly feels outliers. Blocks of
    residuals that are drawn together (Künsch 1989) keep the memory of the noise, so the spread of
    the slope is right where formulas for independent noise are not (Önöz and Bayazit 2012). Written
    plainly: it takes all n (n - 1) / 2 slopes for each draw.
    """
    random = np.random.default_rng(0)
    steps = len(values)
    pairs = np.triu_indices(steps, k=1)
    apart = (pairs[1] - pairs[0]).astype(np.float64)

    def median_slope(series: Numbers) -> float:
        return float(np.median((series[pairs[1]] - series[pairs[0]]) / apart))

    value = median_slope(values)
    residuals = values - value * np.arange(steps)
    block = max(2, round(BLOCK * steps ** (1 / 3)))
    starts = random.integers(0, steps - block + 1, (DRAWS, -(-steps // block)))
    places = (starts[:, :, None] + np.arange(block)).reshape(DRAWS, -1)[:, :steps]
    return Slope(value, np.sort([median_slope(residuals[drawn]) for drawn in places]))


def asv(seconds: Numbers) -> Verdict:
    """Detect steps and regressions of 5 % as asv does."""
    # Here, because only `make bench` installs asv.
    from asv.step_detect import detect_regressions, detect_steps

    steps = detect_steps(seconds.tolist())
    _, _, regressions = detect_regressions(steps, threshold=SMALLEST_GROWTH)
    edges = [left for left, *_ in steps]
    levels = [level for _, _, level, *_ in steps]
    if regressions:
        return claim("shift", onset_step=_largest_rise(edges, levels))
    return _fallen(edges, levels, len(seconds))


def otava_judge(search: Callable[[list[float]], list[int]]) -> Callable[[Numbers], Verdict]:
    """Return a judge by Otava's change points.

    A shift is a last level 5 % above the lowest, which is also asv's rule.
    """

    def judge(seconds: Numbers) -> Verdict:
        edges = [0, *search(seconds.tolist())]
        levels = [float(part.mean()) for part in np.split(seconds, edges[1:])]
        if levels[-1] >= (1 + SMALLEST_GROWTH) * min(levels):
            return claim("shift", onset_step=_largest_rise(edges, levels))
        return _fallen(edges, levels, len(seconds))

    return judge


def _largest_rise(edges: list[int], levels: list[float]) -> int:
    return edges[1 + int(np.argmax(np.diff(np.log(levels))))]


def _fallen(edges: list[int], levels: list[float], steps: int) -> Verdict:
    """Read levels that fell: by half-way a warm-up, later a speedup."""
    if levels[0] < (1 + SMALLEST_GROWTH) * levels[-1]:
        return claim("flat")
    return claim("warmup" if 2 * edges[-1] <= steps else "speedup")


def install_otava() -> bool:
    """Put Otava without its dependencies where only this bench looks; False where that fails.

    It pins an older numpy and a client for a cloud's database. Installed like any package it would
    take ours down with it; its analysis needs numpy and scipy only and answers the same with ours.
    """
    if (OTAVA_FOLDER / "otava").is_dir():
        return True
    command = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    command += ["--no-deps", "--target", str(OTAVA_FOLDER), f"apache-otava=={OTAVA}"]
    return subprocess.run(command, check=False).returncode == 0


def otava() -> Callable[[list[float]], list[int]]:
    """Return Otava's search: a list of seconds in, the first step after each change out.

    With its own settings (windows of 50, p of .001) and only changes of 5 % or more. It must be
    handed a list: of an array it forgets to take the window, and all places are wrong.
    """
    sys.path.append(str(OTAVA_FOLDER))
    try:
        compute = import_module("otava.analysis").compute_change_points
    finally:
        sys.path.remove(str(OTAVA_FOLDER))

    def search(seconds: list[float]) -> list[int]:
        found, _ = compute(seconds, min_magnitude=SMALLEST_GROWTH)
        return [int(point.index) for point in found]

    return search


def methods() -> tuple[Method, ...]:
    """Return those that are there; Otava may be out of reach."""
    cuts = Method("asv", asv, STEP_WORDS, most_steps=10_000)  # 100,000 steps took it 43 s
    if not install_otava():
        return (*TREND_METHODS, cuts)
    return (*TREND_METHODS, cuts, Method("Otava", otava_judge(otava()), STEP_WORDS))


TREND_WORDS: tuple[Label, ...] = ("slowdown", "speedup")
STEP_WORDS: tuple[Label, ...] = ("shift", "warmup", "speedup")
# All pairs of 100,000 steps are five thousand million.
TREND_METHODS = (
    Method("OLS", least_squares, TREND_WORDS),
    Method("Mann-Kendall", mann_kendall, TREND_WORDS, most_steps=1_500),
    Method("Hamed-Rao", hamed_rao, TREND_WORDS, most_steps=1_500),
    Method("Theil-Sen bootstrap", theil_sen_bootstrap, TREND_WORDS, most_steps=1_500),
)
