"""Colours as numbers: how much they stand out, and how far apart they are for whoever sees fewer.

What a colour-blind reader sees: Machado, Oliveira and Fernandes (2009), full strength. How far two
colours are apart: CIE 1976, where about 2 can just be seen by an eye that looks for it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

SIGHT = {
    "all colours": np.eye(3),
    "no red cones": np.array([
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]),
    "no green cones": np.array([
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]),
    "no blue cones": np.array([
        [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ]),
}  # fmt: skip
# From light in red, green and blue to the three values that CIE measures eyes in.
TO_XYZ = np.array([
    [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
])  # fmt: skip
WHITE = TO_XYZ @ np.ones(3)


def light(colour: str) -> Vector:
    """Return how much red, green and blue light a colour such as ``#0072b2`` is."""
    values = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG reckons it: 1 for the same, 21 at most."""
    bright = sorted(float(TO_XYZ[1] @ light(colour)) + 0.05 for colour in (one, other))
    return bright[1] / bright[0]


def distance(one: str, other: str, sight: str) -> float:
    """Return how far apart two colours are, for one kind of sight."""
    first, second = (_lab(np.clip(SIGHT[sight] @ light(colour), 0, 1)) for colour in (one, other))
    return float(np.linalg.norm(first - second))


def _lab(linear: Vector) -> Vector:
    ratio = TO_XYZ @ linear / WHITE
    root = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])
