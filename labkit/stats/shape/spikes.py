"""Spikes: single steps far above their neighbours, and whether they come like a comb.

The level between the spikes is judged elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from labkit.stats.noise import median, spread
from labkit.stats.series import Mask, Numbers, joined

SPIKE_RISE = math.log(1.20)
FEWEST_SPIKES = 4
CANDIDATES = 12
COMMON_SHARE = 0.02
ALIKE = 0.3
# The most a Poisson process can put between 0.7 and 1.3 of any period.
CHANCE_ALIKE = 0.23
SHORTEST_WANDERING = 4
FEWEST_GROWING = 6
GROWING_ERRORS = 2.6
SMALLEST_SPIKE_GROWTH = math.log(1.25)
MOST_SPIKES = 100
# Four in rising order are one of 24 orders, and three one of 6.
FEWEST_RISING, RISING_CHANCE = 4, 0.05
SMALLEST_RISING = math.log(2.0)
# Of what the longest takes beyond an ordinary step: beside spikes of 0.1 s, steps of 1 ms have
# others of 2 ms, in any order.
LONG_SHARE = 0.05


@dataclass(frozen=True)
class Settled:
    """A series without its outliers.

    Args:
        values: The series with everything beyond three spreads of the local level drawn in, and
            spikes put down to it.
        level: The local level, a running median.
        noise: The spread around it.
    """

    values: Numbers
    level: Numbers
    noise: float


@dataclass(frozen=True)
class Comb:
    """Spikes that come regularly.

    Args:
        period: Steps from spike to spike.
        wanders: Whether the distance varies, and `period` is its mean.
    """

    period: float
    wanders: bool = False


def settled(points: Numbers) -> Settled:
    """Draw outliers in to three spreads of the running median, so that none can deafen a fit."""
    width = settling_width(len(points))
    level = np.asarray(
        scipy.ndimage.median_filter(points, size=width, mode="reflect"), dtype=np.float64
    )
    noise = spread(points - level)
    # A coarse clock gives most steps the very same time: a spread near zero must not flatten all.
    reach = max(3 * noise, 0.02)
    values = np.clip(points, level - reach, level + reach)
    # A comb of spikes, even drawn in, would hide the memory of the noise between its teeth.
    is_spike = points > level + max(SPIKE_RISE, 5 * noise)
    return Settled(np.where(is_spike, level, values), level, noise)


def settling_width(points: int) -> int:
    """Return how many points the running median of so many looks at."""
    return min(31, max(9, points // 10)) | 1


def spike_mask(log_seconds: Numbers) -> Mask:
    """Mark the steps that are 20 % and five spreads above the local level, shape (steps,)."""
    points, width = joined(log_seconds)
    level = settled(points).level
    place = np.minimum(np.arange(len(log_seconds)) // width, len(points) - 1)
    residuals = log_seconds - level[place]
    return np.asarray(residuals > max(SPIKE_RISE, 5 * spread(residuals)))


def common(seconds: Numbers, spikes: Mask) -> bool:
    """Tell whether irregular spikes are a habit of the loop, not a few rare giants.

    At least four steps, and one in fifty, take twice as long or more.
    """
    doubled = int((seconds[spikes] >= 2 * median(seconds)).sum())
    return doubled >= max(FEWEST_SPIKES, COMMON_SHARE * len(seconds))


def comb(spikes: Mask) -> Comb | None:
    """Return the comb the spikes form, or None where chance could have set them so.

    Tried are the commonest distances between spikes up to three apart. A comb must have at least
    four teeth hit, fit teeth and spikes alike (F of 0.7) and be less likely than 2 % by chance,
    counting every period and phase tried.
    """
    places = np.flatnonzero(spikes)
    if len(places) < FEWEST_SPIKES:
        return None
    gaps = np.concatenate([places[apart:] - places[:-apart] for apart in (1, 2, 3)])
    distances, counts = np.unique(gaps[gaps >= 2], return_counts=True)
    periods = distances[np.argsort(-counts, kind="stable")][:CANDIDATES]
    rate = len(places) / len(spikes)
    best, best_fit = None, 0.7
    for period in map(int, periods):
        phases = np.bincount(places % period, minlength=period)
        phase = int(np.argmax(phases))
        hits = int(phases[phase])
        teeth = len(range(phase, len(spikes), period))
        fit = 2 * hits / (teeth + len(places))
        # The chance of so many hits or more: the upper tail of the binomial distribution.
        tail = float(scipy.special.betainc(hits, teeth - hits + 1, rate))
        chance = tail * int(periods.sum())
        if hits >= FEWEST_SPIKES and fit >= best_fit and chance < 0.02:
            best, best_fit = Comb(float(period)), fit + 1e-9
    return best


def wandering_comb(spikes: Mask) -> Comb | None:
    """Return the comb of spikes whose distance wanders a little, or None where chance made them.

    A collector that runs by what was allocated comes every 20 steps or so. Of the gaps between
    spikes seven in ten must be alike to 30 %, and so many of them less likely than 1 % by chance,
    counting every period tried; the gaps of a Poisson process are the chance.
    """
    places = np.flatnonzero(spikes)
    # Neighbouring slow steps are one spike: without this a burst would pass for a short period.
    places = places[np.concatenate([[True], np.diff(places) > 1])] if places.size else places
    gaps = np.diff(places).astype(np.float64)
    if len(gaps) < FEWEST_SPIKES:
        return None
    # Of each length once: a run has at most as many lengths as the root of twice its steps, but may
    # have a hundred thousand gaps, and a table of all pairs of these took gigabytes.
    lengths, which, counts = np.unique(gaps, return_inverse=True, return_counts=True)
    alike = np.abs(lengths[None, :] - lengths[:, None]) <= ALIKE * lengths[:, None]
    best = alike[which[int(np.argmax((alike @ counts)[which]))]]
    period = float(np.average(lengths[best], weights=counts[best]))
    near = gaps[np.abs(gaps - period) <= ALIKE * period]
    hits = len(near)
    tail = float(scipy.special.betainc(hits, len(gaps) - hits + 1, CHANCE_ALIKE)) if hits else 1.0
    if period < SHORTEST_WANDERING or hits < 0.7 * len(gaps) or tail * len(gaps) >= 0.01:
        return None
    return Comb(float(near.mean()), wanders=True)


def spike_growth(log_seconds: Numbers, spikes: Mask) -> tuple[float, float] | None:
    """Return how long the first and the last spike are by the trend in them, as logarithms.

    None where they neither grow nor shrink by a quarter, or where chance could have ordered them
    so: Kendall's test at 2.6 standard errors (Mann 1945). The trend is the median of the slopes
    between any two (Sen 1968).

    Args:
        log_seconds: Logarithms of step times, shape (steps,).
        spikes: Which steps are spikes, same shape.
    """
    places = _long(log_seconds, spikes)
    if len(places) < FEWEST_GROWING:
        return None
    parts = np.array_split(places, min(len(places), MOST_SPIKES))
    at = np.array([part.mean() for part in parts])
    heights = np.array([median(log_seconds[part]) for part in parts])
    n = len(parts)
    first, second = np.triu_indices(n, 1)
    rises = heights[second] - heights[first]
    ordered = abs(float(np.sign(rises).sum()))
    slope = median(rises / (at[second] - at[first]))
    start = median(heights - slope * at)
    if ordered - 1 < GROWING_ERRORS * math.sqrt(n * (n - 1) * (2 * n + 5) / 18):
        return None
    if abs(slope) * (places[-1] - places[0]) < SMALLEST_SPIKE_GROWTH:
        return None
    return start + slope * float(places[0]), start + slope * float(places[-1])


def rising(log_seconds: Numbers, spikes: Mask) -> float:
    """Return how much longer the last spike is than the first where they may grow, as a logarithm.

    Also of fewer spikes than prove it, as long as chance orders them so once in twenty times at
    most: the exact distribution of Kendall's count of pairs in the wrong order (Mann 1945). 0 where
    it does so more often, and where the last is not twice as long.

    Args:
        log_seconds: Logarithms of step times, shape (steps,).
        spikes: Which steps are spikes, same shape.
    """
    places = _long(log_seconds, spikes)
    if len(places) < FEWEST_RISING:
        return 0.0
    # Neighbouring slow steps are one spike: a burst of its own height would count many times.
    bursts = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
    if not FEWEST_RISING <= len(bursts) <= MOST_SPIKES:
        return 0.0
    at = np.array([burst[0] for burst in bursts])
    heights = np.array([float(log_seconds[burst].max()) for burst in bursts])
    first, second = np.triu_indices(len(bursts), 1)
    rises = heights[second] - heights[first]
    if _chance_of_order(len(bursts), int((rises <= 0).sum())) > RISING_CHANCE:
        return 0.0
    rise = median(rises / (at[second] - at[first])) * float(at[-1] - at[0])
    return rise if rise >= SMALLEST_RISING else 0.0


def _long(log_seconds: Numbers, spikes: Mask) -> NDArray[np.intp]:
    """Return the places of the spikes beside which the others cost nothing.

    Whichever these are, the same are chosen in any order, so that chance orders them as before.
    """
    places = np.flatnonzero(spikes)
    if not places.size:
        return places
    cost = np.exp(log_seconds[places]) - math.exp(median(log_seconds))
    long: NDArray[np.intp] = places[cost >= LONG_SHARE * cost.max()]
    return long


def _chance_of_order(count: int, wrong: int) -> float:
    """Return the chance that so many in any order have so few pairs in the wrong order."""
    chances = np.ones(1)
    for placed in range(2, count + 1):  # the next one stands before none, one or more of the others
        chances = np.convolve(chances, np.full(placed, 1 / placed))
    return float(chances[: wrong + 1].sum())
