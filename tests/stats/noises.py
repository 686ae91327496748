"""Noise families: what a machine does to the true times of a loop's steps.

Each is called with a generator of random numbers and the true times, relative to the base and of
shape (steps,), and returns the measured times. They know nothing of what the truth is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from labkit.stats.series import Numbers

Noise = Callable[[np.random.Generator, Numbers], Numbers]


def normal(size: float) -> Noise:
    """Independent noise of the logarithm."""
    return lambda random, clean: clean * np.exp(random.normal(0, size, len(clean)))


def heavy_tails(random: np.random.Generator, clean: Numbers) -> Numbers:
    """Student's t with 3 degrees of freedom."""
    return clean * np.exp(0.03 * random.standard_t(3, len(clean)))


def one_sided(random: np.random.Generator, clean: Numbers) -> Numbers:
    """Never faster than the floor, as most machines are."""
    return clean * (1 + random.exponential(0.08, len(clean)))


def autoregressive(rho: float) -> Noise:
    """Noise that remembers, with a standard deviation of 5 %."""
    return lambda random, clean: clean * np.exp(0.05 * remembering(random, len(clean), rho))


def neighbour(random: np.random.Generator, clean: Numbers) -> Numbers:
    """Somebody else computes for 15 % of the time, 8 steps on average."""
    slowed = bursts(random, len(clean), share=0.15, mean_length=8)
    return clean * slowed * np.exp(random.normal(0, 0.02, len(clean)))


def rare_giants(random: np.random.Generator, clean: Numbers) -> Numbers:
    """One step in a hundred takes 50 times as long."""
    factor = np.where(random.random(len(clean)) < 0.01, 50.0, 1.0)
    return clean * factor * np.exp(random.normal(0, 0.03, len(clean)))


def two_speeds(random: np.random.Generator, clean: Numbers) -> Numbers:
    """Three steps in ten are 15 % slower."""
    factor = np.where(random.random(len(clean)) < 0.3, 1.15, 1.0)
    return clean * factor * np.exp(random.normal(0, 0.02, len(clean)))


def mixed(random: np.random.Generator, clean: Numbers) -> Numbers:
    """Memory, a floor, bursts and giants, all at once."""
    steps = len(clean)
    slowed = bursts(random, steps, share=0.08, mean_length=6)
    giants = np.where(random.random(steps) < 0.004, 50.0, 1.0)
    memory = np.exp(0.03 * remembering(random, steps, 0.5))
    return clean * memory * (1 + random.exponential(0.04, steps)) * slowed * giants


def pareto_outliers(random: np.random.Generator, clean: Numbers) -> Numbers:
    """Three steps in a hundred are late by an amount that has no variance."""
    late = np.where(random.random(len(clean)) < 0.03, random.pareto(1.2, len(clean)), 0.0)
    return clean * (1 + late) * np.exp(random.normal(0, 0.03, len(clean)))


def arma(random: np.random.Generator, clean: Numbers) -> Numbers:
    """ARMA(1, 1): a disturbance counts for two steps at once, and is then forgotten slowly."""
    rho, theta = 0.6, 0.4
    draws = random.normal(0, 1, len(clean) + 101)
    noise = filtered(draws[1:] + theta * draws[:-1], rho)[100:]
    size = np.sqrt((1 + 2 * rho * theta + theta**2) / (1 - rho**2))
    return clean * np.exp(0.05 / size * noise)


def memory_with_heavy_tails(random: np.random.Generator, clean: Numbers) -> Numbers:
    """An AR(1) process of .7 that is fed by Student's t with 4 degrees of freedom."""
    rho = 0.7
    # Of variance 1: that of Student's t is 2 with 4 degrees of freedom.
    draws = random.standard_t(4, len(clean) + 100) / np.sqrt(2)
    noise = filtered(draws, rho)[100:] * np.sqrt(1 - rho**2)
    return clean * np.exp(0.05 * noise)


def short_bursts(random: np.random.Generator, clean: Numbers) -> Numbers:
    """A neighbour who comes often, for 3 steps on average."""
    slowed = bursts(random, len(clean), share=0.12, mean_length=3)
    return clean * slowed * np.exp(random.normal(0, 0.02, len(clean)))


def changing_variance(random: np.random.Generator, clean: Numbers) -> Numbers:
    """The spread moves between 2 % and 10 %, once around, from anywhere."""
    angle = 2 * np.pi * (np.arange(len(clean)) / len(clean) + random.random())
    return clean * np.exp((0.06 + 0.04 * np.sin(angle)) * random.normal(0, 1, len(clean)))


def coarse_clock(random: np.random.Generator, clean: Numbers) -> Numbers:
    """A clock whose tick is 4 % of the base time."""
    tick = 0.04
    times = clean * np.exp(random.normal(0, 0.03, len(clean)))
    return np.asarray(np.maximum(1, np.round(times / tick)) * tick)


def filtered(draws: Numbers, rho: float) -> Numbers:
    """Return ``x[k] = rho x[k - 1] + draws[k]``, from ``x[0] = draws[0]``."""
    noise = np.array(draws)
    for step in range(1, len(noise)):
        noise[step] += rho * noise[step - 1]
    return noise


def remembering(random: np.random.Generator, steps: int, rho: float) -> Numbers:
    """Return an AR(1) process of variance 1, in its stationary state from the first step on."""
    draws = random.normal(0, np.sqrt(1 - rho**2), steps)
    draws[0] /= np.sqrt(1 - rho**2)
    return filtered(draws, rho)


def bursts(random: np.random.Generator, steps: int, *, share: float, mean_length: float) -> Numbers:
    """Return factors: 1, and 1.1 to 1.6 in bursts of geometric length that fill a share of all."""
    mean_pause = mean_length * (1 - share) / share
    factor = np.ones(steps)
    place = 0
    busy = random.random() < share
    while place < steps:
        length = int(random.geometric(1 / (mean_length if busy else mean_pause)))
        if busy:
            factor[place : place + length] = 1 + random.uniform(0.1, 0.6)
        place += length
        busy = not busy
    return factor


# The families that the judge was reasoned about with, and ones that it has never seen.
FAMILIAR: Mapping[str, Noise] = {
    "normal 1 %": normal(0.01),
    "normal 5 %": normal(0.05),
    "normal 15 %": normal(0.15),
    "heavy tails": heavy_tails,
    "one-sided": one_sided,
    "memory .6": autoregressive(0.6),
    "memory .9": autoregressive(0.9),
    "neighbour": neighbour,
    "rare giants": rare_giants,
    "two speeds": two_speeds,
    "mixed": mixed,
}
HELD_OUT: Mapping[str, Noise] = {
    "Pareto outliers": pareto_outliers,
    "ARMA": arma,
    "memory .7, heavy tails": memory_with_heavy_tails,
    "short bursts": short_bursts,
    "changing variance": changing_variance,
    "coarse clock": coarse_clock,
}
NOISES: Mapping[str, Noise] = {**FAMILIAR, **HELD_OUT}
