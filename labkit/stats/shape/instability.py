"""Wandering: a level that moves up and down and never settles.

It tells whether there is a steady level at all; what the level does beside that is decided in
shape.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from labkit.stats.series import Numbers
from labkit.stats.shape.interference import LONGEST_SHARE, one_way
from labkit.stats.shape.shape import Shape
from labkit.stats.shape.spikes import settled, settling_width

FEWEST_CHANGES = 3
STEADY_SHARE = 0.65
# Bursts of a neighbour come back to one floor, and that holds most of the run; a wave has none.
FLOOR_SHARE = 0.5
STEADY_BAND = math.log(1.08)
LEFT_OVER = 1.5
# Less is what an idle machine does by itself: a neighbour on the other processor makes the same
# work up to 15 % slower, and a hand-over between threads may take another 0.15 ms for minutes.
SMALLEST_RANGE = math.log(1.25)
# A running median of noise alone swings by four to five of its own standard errors in a run.
SWING_ERRORS = 6.0
# The standard error of a median is a quarter larger than that of a mean.
MEDIAN_ERROR = 1.25


@dataclass(frozen=True)
class Wandering:
    """A level that never settles.

    Args:
        lowest: The lowest level, as a logarithm.
        highest: The highest.
        changes: How often it moves.
    """

    lowest: float
    highest: float
    changes: int


def find_wandering(points: Numbers, shape: Shape) -> Wandering | None:
    """Return how the level moves both ways, three times or more, so that none holds for long.

    It may jump from level to level, or swing slowly, which no levels describe.

    Args:
        points: Logarithms of step times after the warm-up, shape (points,).
        shape: What was made of them.
    """
    return _jumps(shape) or _swings(points, shape)


def _jumps(shape: Shape) -> Wandering | None:
    moved = shape.moved
    if len(moved.changes) < FEWEST_CHANGES or one_way(moved):
        return None
    # A step or a trend among a few bursts moves both ways too, but only until the bursts are set
    # aside; then nothing of the wandering may be left.
    calm = shape.kind == "trend" or one_way(shape.kept)
    if calm and shape.left_over <= LEFT_OVER and 1 - shape.used.mean() <= LONGEST_SHARE:
        return None
    found = Wandering(min(moved.values), max(moved.values), len(moved.changes))
    large = found.highest - found.lowest >= SMALLEST_RANGE
    return found if large and longest_held(moved.fitted()) < STEADY_SHARE else None


def _swings(points: Numbers, shape: Shape) -> Wandering | None:
    calm = settled(points)
    # What bursts cannot have made stands, however the level swings besides.
    if shape.significant or longest_held(calm.level) >= FLOOR_SHARE:
        return None
    error = MEDIAN_ERROR * calm.noise / math.sqrt(settling_width(len(points)))
    turns = turning_points(calm.level, max(SMALLEST_RANGE, SWING_ERRORS * error))
    changes = len(turns) - 1
    return Wandering(min(turns), max(turns), changes) if changes >= FEWEST_CHANGES else None


def longest_held(level: Numbers) -> float:
    """Return the largest share of a series that lies within 8 % of one of its values."""
    inside = np.sort(level)
    ends = np.searchsorted(inside, inside + STEADY_BAND, side="right")
    return float((ends - np.searchsorted(inside, inside - STEADY_BAND)).max()) / len(level)


def turning_points(level: Numbers, least: float) -> list[float]:
    """Return the values between which a series swings by `least` or more, both ends among them."""
    turns, lowest, highest, way = [], float(level[0]), float(level[0]), 0
    for value in map(float, level):
        lowest, highest = min(lowest, value), max(highest, value)
        if way >= 0 and value <= highest - least:
            turns.append(highest)
            way, lowest, highest = -1, value, value
        elif way <= 0 and value >= lowest + least:
            turns.append(lowest)
            way, lowest, highest = 1, value, value
    return [*turns, highest if way > 0 else lowest]
