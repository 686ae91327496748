"""Series of step times with known truth, by family: one truth, one noise, any number of them.

Each series is a pure function of its truth, noise, number of steps and index; a growth is applied
to the same draws, so that a larger growth changes nothing else.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from tests.stats.noises import NOISES, Numbers
from tests.stats.truths import TRUTHS, Truth

BASE_SECONDS = 0.1


@dataclass(frozen=True)
class Series:
    """One series.

    Args:
        seconds: The measured times, shape (steps,).
        truth: What they would be without noise, and what is true of them.
        noise: The name of the noise family.
    """

    seconds: Numbers
    truth: Truth
    noise: str


def series(truth: str, noise: str, steps: int, index: int, *, growth: float = 0.25) -> Series:
    """Return one series.

    Args:
        truth: One of `TRUTHS`.
        noise: One of `NOISES`.
        steps: How many.
        index: Which series of this family.
        growth: How much the time grows, where the truth grows; 0.25 is +25 %.
    """
    family = zlib.crc32(f"{truth}/{noise}/{steps}".encode())
    for_truth, for_noise = np.random.SeedSequence([family, index]).spawn(2)
    drawn = TRUTHS[truth](np.random.default_rng(for_truth), steps, growth)
    times = BASE_SECONDS * NOISES[noise](np.random.default_rng(for_noise), drawn.clean)
    return Series(times, drawn, noise)
