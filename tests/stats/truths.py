"""Truths: what the times of a loop's steps are before a machine adds its noise.

Each is drawn with a generator of random numbers for a number of steps and, where it grows, a size.
They know nothing of noise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from labkit.record.verdict import Label
from labkit.stats.series import Numbers


@dataclass(frozen=True)
class Truth:
    """True step times and what is true of them.

    Args:
        label: What a judge should say.
        clean: The times relative to the base, shape (steps,).
        growth: Last level over first after the warm-up, minus 1; None where there is no such thing.
        onset: Where growth begins; None without growth.
        warmup: How many steps are warm-up.
        period: Steps from spike to spike, where they come regularly.
    """

    label: Label
    clean: Numbers
    growth: float | None = 0.0
    onset: int | None = None
    warmup: int = 0
    period: int | None = None


Draw = Callable[[np.random.Generator, int, float], Truth]


def flat(random: np.random.Generator, steps: int, growth: float) -> Truth:
    """One level for ever."""
    return Truth("flat", np.ones(steps))


def warm_decay(random: np.random.Generator, steps: int, growth: float) -> Truth:
    """The start is up to 4 times slower and gets better, fast at first."""
    height = random.uniform(0.3, 3.0)
    constant = random.uniform(0.01, 0.06) * steps
    clean = 1 + height * np.exp(-np.arange(steps) / constant)
    # It has ended where less than 2 % is left.
    return Truth("warmup", clean, warmup=int(np.ceil(constant * np.log(height / 0.02))))


def warm_first(random: np.random.Generator, steps: int, growth: float) -> Truth:
    """One to three first steps are 5 to 200 times slower."""
    count = int(random.integers(1, 4))
    clean = np.ones(steps)
    clean[:count] = np.exp(random.uniform(np.log(5), np.log(200), count))
    return Truth("warmup", clean, warmup=count)


def warm_plateau(random: np.random.Generator, steps: int, growth: float) -> Truth:
    """The first 5 to 20 % of the steps are slower, by 20 to 200 %."""
    count = int(random.uniform(0.05, 0.2) * steps)
    clean = np.ones(steps)
    clean[:count] += random.uniform(0.2, 2.0)
    return Truth("warmup", clean, warmup=count)


def linear(random: np.random.Generator, steps: int, growth: float) -> Truth:
    """Each step takes the same seconds longer than the one before."""
    return Truth("slowdown", 1 + growth * np.linspace(0, 1, steps), growth, onset=0)


def quadratic(random: np.random.Generator, steps: int, growth: float) -> Truth:
    """The growth itself grows."""
    return Truth("slowdown", 1 + growth * np.linspace(0, 1, steps) ** 2, growth, onset=0)


def warm_linear(random: np.random.Generator, steps: int, growth: float) -> Truth:
    """A slow start, and growth from the first step on."""
    warm = (warm_decay if random.random() < 0.5 else warm_first)(random, steps, growth)
    clean = warm.clean * linear(random, steps, growth).clean
    # What grew behind the warm-up is not part of "after warm-up".
    rest = (1 + growth) / (1 + growth * warm.warmup / (steps - 1)) - 1
    return Truth("slowdown", clean, rest, onset=0, warmup=warm.warmup)


def late_onset(random: np.random.Generator, steps: int, growth: float) -> Truth:
    """One level, and from somewhere in the middle on linear growth."""
    start = int(random.uniform(0.3, 0.6) * steps)
    after = np.maximum(0, np.arange(steps) - start) / (steps - 1 - start)
    return Truth("slowdown", 1 + growth * after, growth, onset=start)


def step_up(random: np.random.Generator, steps: int, growth: float) -> Truth:
    """A higher level from somewhere in the middle on."""
    start = int(random.uniform(0.2, 0.8) * steps)
    clean = np.where(np.arange(steps) >= start, 1 + growth, 1.0)
    return Truth("shift", clean, growth, onset=start)


def speeding_up(random: np.random.Generator, steps: int, growth: float) -> Truth:
    """Faster and faster over the whole run, by 10 to 35 % together, straight or levelling out."""
    fall = random.uniform(0.10, 0.35)
    position = np.linspace(0, 1, steps)
    if random.random() < 0.5:
        position = np.expm1(-3 * position) / np.expm1(-3)
    return Truth("speedup", 1 - fall * position, -fall)


def periodic(random: np.random.Generator, steps: int, growth: float) -> Truth:
    """One step in 5 to 50 takes 1.3 to 20 times as long, in a fixed beat; five beats or more."""
    periods = [each for each in (5, 6, 8, 10, 15, 25, 30, 50) if 5 * each <= steps]
    period = int(random.choice(periods))
    height = np.exp(random.uniform(np.log(1.3), np.log(20)))
    clean = np.ones(steps)
    beats = slice(int(random.integers(period)), None, period)
    clean[beats] = height * np.exp(random.normal(0, 0.05, len(clean[beats])))
    return Truth("spikes", clean, period=period)


def rare(random: np.random.Generator, steps: int, growth: float) -> Truth:
    """A few steps in a hundred, 1.5 to 4, take 2 to 50 times as long."""
    hit = random.random(steps) < random.uniform(0.015, 0.04)
    height = np.exp(random.uniform(np.log(2), np.log(50), steps))
    return Truth("spikes", np.where(hit, height, 1.0))


def unsteady(random: np.random.Generator, steps: int, growth: float) -> Truth:
    """Five to eight levels, up and down by 20 to 60 %, each at least 7 % of the run long."""
    count = int(random.integers(5, 9))
    shortest = 0.07
    # What is left beyond the shortest is shared out at random.
    shares = shortest + (1 - count * shortest) * random.dirichlet(np.full(count, 3.0))
    edges = np.round(np.cumsum([0, *shares]) * steps).astype(int)
    # Up and down in turn, so that no level before ever comes to be the rule.
    signs = np.where(np.arange(count - 1) % 2 == random.integers(2), 1, -1)
    levels = np.cumsum([0, *(signs * np.log1p(random.uniform(0.2, 0.6, count - 1)))])
    clean = np.repeat(np.exp(levels - levels.min()), np.diff(edges))
    return Truth("unsteady", clean, None)


TRUTHS: Mapping[str, Draw] = {
    "flat": flat,
    "warm-up, decay": warm_decay,
    "warm-up, first steps": warm_first,
    "warm-up, plateau": warm_plateau,
    "linear": linear,
    "quadratic": quadratic,
    "warm-up, then linear": warm_linear,
    "late onset": late_onset,
    "step up": step_up,
    "speeding up": speeding_up,
    "periodic spikes": periodic,
    "rare spikes": rare,
    "unsteady": unsteady,
}
