"""Spikes: single steps far above their neighbours, and whether they come like a comb.

The level between the spikes is judged elsewhere. Only combs of a whole-numbered period are found;
spikes whose distance wanders count as irregular.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import median_filter
from scipy.special import betainc

from labkit.stats.noise import spread
from labkit.stats.series import Mask, Numbers, joined

SPIKE_RISE = math.log(1.20)
FEWEST_SPIKES = 4
CANDIDATES = 12


@dataclass(frozen=True)
class Settled:
    """A series freed of its outliers.

    Args:
        values: The series with everything beyond three spreads of the local level drawn in.
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
        hits: How many spikes lie on the comb.
    """

    period: int
    hits: int


def settled(points: Numbers) -> Settled:
    """Draw outliers in to three spreads of the running median, so that none can deafen a fit."""
    width = min(31, max(9, len(points) // 10)) | 1
    level = np.asarray(median_filter(points, size=width, mode="reflect"), dtype=np.float64)
    noise = spread(points - level)
    # A coarse clock gives most steps the very same time: a spread near zero must not flatten all.
    reach = max(3 * noise, 0.02)
    return Settled(np.clip(points, level - reach, level + reach), level, noise)


def spike_mask(log_seconds: Numbers) -> Mask:
    """Mark the steps that are 20 % and five spreads above the local level, shape (steps,)."""
    points, width = joined(log_seconds)
    level = settled(points).level
    place = np.minimum(np.arange(len(log_seconds)) // width, len(points) - 1)
    residuals = log_seconds - level[place]
    return np.asarray(residuals > max(SPIKE_RISE, 5 * spread(residuals)))


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
        tail = float(betainc(hits, teeth - hits + 1, rate))
        chance = tail * int(periods.sum())
        if hits >= FEWEST_SPIKES and fit >= best_fit and chance < 0.02:
            best, best_fit = Comb(period, hits), fit + 1e-9
    return best
