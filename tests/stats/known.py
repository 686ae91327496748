"""Series of step times with known truth: each generator returns the times and what is true of them.

Every series is a pure function of its arguments and the seed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labkit.stats.series import Numbers


@dataclass(frozen=True)
class Known:
    """Step times and the truth about them.

    Args:
        seconds: The step times.
        growth: The true growth after warm-up.
        at: Where the level changes, where it does.
        warmup: How many steps are warm-up.
        period: Steps from spike to spike, where there are regular spikes.
    """

    seconds: Numbers
    growth: float = 0.0
    at: int | None = None
    warmup: int = 0
    period: int | None = None


def white(steps: int, seed: int, size: float = 0.05) -> Numbers:
    """Independent noise of the logarithm."""
    return np.random.default_rng(seed).normal(0, size, steps)


def memory(steps: int, seed: int, rho: float = 0.9, size: float = 0.05) -> Numbers:
    """Noise that remembers: neighbouring steps are slow together."""
    draws = np.random.default_rng(seed).normal(0, size, steps)
    noise = np.empty(steps)
    noise[0] = draws[0]
    for step in range(1, steps):
        noise[step] = rho * noise[step - 1] + np.sqrt(1 - rho**2) * draws[step]
    return noise


def skewed(steps: int, seed: int) -> Numbers:
    """Noise that only ever makes steps slower."""
    return np.log1p(np.random.default_rng(seed).exponential(0.08, steps))


def two_speeds(steps: int, seed: int) -> Numbers:
    """A third of the steps is 15 % slower."""
    random = np.random.default_rng(seed)
    return random.normal(0, 0.02, steps) + np.where(random.random(steps) < 0.3, np.log(1.15), 0)


def neighbour(steps: int, seed: int) -> Numbers:
    """One burst of 15 steps, 40 % slower, somewhere in the middle."""
    noise = white(steps, seed, 0.02)
    start = int(np.random.default_rng(seed).uniform(0.3, 0.6) * steps)
    noise[start : start + 15] += np.log(1.4)
    return noise


def rare_giants(steps: int, seed: int) -> Numbers:
    """One step in a hundred takes 50 times as long."""
    random = np.random.default_rng(seed)
    return random.normal(0, 0.03, steps) + np.where(random.random(steps) < 0.01, np.log(50), 0)


def flat(noise: Numbers, *, level: float = 0.1) -> Known:
    """One level for ever."""
    return Known(level * np.exp(noise))


def ramp(noise: Numbers, growth: float, *, level: float = 0.1, power: float = 1.0) -> Known:
    """Growth with a power of the steps: straight at 1, hollow above, arched below."""
    position = np.linspace(0, 1, len(noise))
    return Known(level * (1 + growth * position**power) * np.exp(noise), growth)


def step_up(noise: Numbers, growth: float, at: int) -> Known:
    """A higher level from one step on."""
    after = np.arange(len(noise)) >= at
    return Known(0.1 * np.where(after, 1 + growth, 1) * np.exp(noise), growth, at=at)


def warm_start(noise: Numbers, warmup: int, factor: float) -> Known:
    """The first steps are slower, then one level."""
    early = np.arange(len(noise)) < warmup
    return Known(0.1 * np.where(early, factor, 1) * np.exp(noise), warmup=warmup)


def combed(noise: Numbers, period: int, factor: float) -> Known:
    """Every so many steps one takes longer."""
    tooth = np.arange(len(noise)) % period == period // 2
    return Known(0.1 * np.where(tooth, factor, 1) * np.exp(noise), period=period)


def late_ramp(noise: Numbers, growth: float, at: int) -> Known:
    """Flat for a while, then a straight growth to the end."""
    steps = np.arange(len(noise))
    come = np.maximum(0, steps - at) / (len(noise) - 1 - at)
    return Known(0.1 * (1 + growth * come) * np.exp(noise), growth, at=at)


def decaying_start(noise: Numbers, height: float, time: float) -> Known:
    """A start that is slower and settles like an exponential, to 2 % at the end of the warm-up."""
    slower = np.log1p(height * np.exp(-np.arange(len(noise)) / time))
    return Known(0.1 * np.exp(slower + noise), warmup=round(time * np.log(height / 0.02)))


def wandering_comb(noise: Numbers, period: int, wander: int, factor: float, seed: int) -> Known:
    """Slow steps that come after a period, give or take a few steps."""
    gaps = np.random.default_rng(seed).integers(period - wander, period + wander + 1, len(noise))
    places = np.cumsum(gaps)
    times = 0.1 * np.exp(noise)
    times[places[places < len(noise)]] *= factor
    return Known(times, period=period)


def chance_spikes(noise: Numbers, share: float, factor: float, seed: int) -> Known:
    """Slow steps that come whenever they like."""
    hit = np.random.default_rng(seed).random(len(noise)) < share
    return Known(0.1 * np.where(hit, factor, 1) * np.exp(noise))


def wave(noise: Numbers, swing: float, waves: float, *, from_angle: float = 0.0) -> Known:
    """A level that swings up and down by a share of itself, so many times in the run."""
    angle = from_angle + 2 * np.pi * waves * np.arange(len(noise)) / len(noise)
    return Known(0.1 * (1 + swing * np.sin(angle)) * np.exp(noise))


def s_curve(noise: Numbers, growth: float) -> Known:
    """Growth that begins slowly, hurries and slows down again."""
    position = np.linspace(0, 1, len(noise))
    come = position**2 * (3 - 2 * position)
    return Known(0.1 * (1 + growth * (0.6 * position + 0.4 * come)) * np.exp(noise), growth)


def two_falls(noise: Numbers, first: int, second: int, factors: tuple[float, float]) -> Known:
    """A start on two plateaus: a compiler's, then a cache's."""
    steps = np.arange(len(noise))
    slower = np.where(steps < first, factors[0], np.where(steps < second, factors[1], 1.0))
    return Known(0.1 * slower * np.exp(noise), warmup=second)


def longer_teeth(noise: Numbers, period: int, first: float, last: float) -> Known:
    """A comb whose teeth grow straight from the first to the last."""
    teeth = np.arange(period // 2, len(noise), period)
    times = 0.1 * np.exp(noise)
    times[teeth] *= np.linspace(first, last, len(teeth))
    return Known(times, period=period)


def knee(steps: int, seed: int, *, rest: int, growth: float) -> Known:
    """Steps that rest, and then wait more and more often for what no longer fits in.

    What is asked for is held evenly, and the share of it that is not there makes the price.
    """
    step = np.arange(steps)
    missing = 1 - rest / np.maximum(step, rest)
    noise = np.random.default_rng(seed).normal(0, np.where(step < rest, 0.04, 0.5))
    return Known(0.1 * (1 + growth * missing / missing[-1]) * np.exp(noise), growth, at=rest)
