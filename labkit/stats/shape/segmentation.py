"""A series described: how much of it is warm-up, what shape the rest has, and whether it wanders.

Warm-up and shape depend on each other: what looks like a slow start may be the beginning of one
long fall, and a shape may show that the start was slow for longer. It puts nothing into words.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labkit.stats.series import Numbers, joined
from labkit.stats.shape.decay import LEFT_OVER
from labkit.stats.shape.instability import Wandering, find_wandering
from labkit.stats.shape.shape import Shape, find_shape
from labkit.stats.shape.warmup import leading_slow

SHORTEST_REST = 20


@dataclass(frozen=True)
class Described:
    """A series with its warm-up set aside, and what was made of the rest.

    Args:
        warmup: How many steps were set aside.
        width: How many steps a point of the shape stands for.
        shape: The shape of the rest.
        wandering: How its level moves up and down; None where it holds.
    """

    warmup: int
    width: int
    shape: Shape
    wandering: Wandering | None


def describe(log_seconds: Numbers, warmup: int) -> Described:
    """Describe a series that is known to begin with a warm-up, or with none.

    Args:
        log_seconds: Logarithms of step times, shape (steps,).
        warmup: How many steps at the start are slower than what follows.
    """
    found = _earlier(log_seconds, _at(log_seconds, warmup))
    # What wanders from the beginning on has no slow start.
    return found if found.wandering else _later(log_seconds, found)


def _at(log_seconds: Numbers, warmup: int) -> Described:
    points, width = joined(log_seconds[warmup:])
    shape = find_shape(points, width=width)
    return Described(warmup, width, shape, find_wandering(points, shape))


def _earlier(log_seconds: Numbers, found: Described) -> Described:
    """Take a warm-up back where the level goes on falling after it: that is one long fall."""
    lead = leading_slow(log_seconds)
    if found.warmup <= lead or not _falls(found.shape):
        return found
    whole = _at(log_seconds, lead)
    return whole if _falls(whole.shape) and whole.shape.rise < found.shape.rise else found


def _falls(shape: Shape) -> bool:
    return shape.kind == "trend" and shape.significant and shape.rise < 0


def _later(log_seconds: Numbers, found: Described) -> Described:
    """Set more aside where the shape says that the warm-up was longer; at most half of the run."""
    steps, shape = len(log_seconds), found.shape
    warmup = found.warmup + found.width * _early_fall(shape)
    if warmup == found.warmup or 2 * warmup > steps or steps - warmup < SHORTEST_REST:
        return found
    rest = _at(log_seconds, warmup)
    # A level that goes on falling was not warming up.
    over = shape.kind == "levels" or rest.shape.rise + rest.shape.half_width() >= 0
    return rest if over else found


def _early_fall(shape: Shape) -> int:
    """Return after how many points the start had fallen to where the level then was; else 0."""
    kept, trend = shape.kept, shape.trend
    if shape.kind == "trend" and trend.shape == "settling" and shape.significant:
        over = trend.over(LEFT_OVER)
        return round(over * len(shape.used)) if trend.rise < 0 and over <= 0.5 else 0
    if shape.kind != "levels" or len(kept.values) < 2:
        return 0
    lowest = int(np.argmin(kept.values))
    # For good to the last level, or to one that the level then rises from.
    if lowest == 0 or 1 < lowest < len(kept.values) - 1:
        return 0
    return int(np.flatnonzero(shape.used)[kept.edges[lowest]])
