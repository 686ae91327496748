"""The ratio of two loops that were run by turns, each time in a process of its own.

Two processes of one loop differ by a few percent even on a quiet machine (Barrett et al. 2017,
Traini et al. 2023), and no number of steps within one process tells by how much. Here each pair of
runs is one observation, so the interval has the spread between processes in it; and since the two
of a pair follow each other, a machine that slows down meets both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev

import scipy

Times = Sequence[float]
# A pair shows nothing of the spread between pairs.
FEWEST_PAIRS = 3
# The median of a few steps is that of a warm-up.
FEWEST_STEPS = 20
# Smaller differences are there, too, but nobody would change a loop for them.
SMALLEST_DIFFERENCE = math.log(1.05)
# A claim is asked again and again, in every workshop: one in a hundred may be told wrongly.
ALPHA = 0.01


@dataclass(frozen=True)
class PairedRatio:
    """How long a step of the second loop takes, over a step of the first.

    Args:
        ratio: Second over first, the geometric mean of all pairs.
        low: Lower end of its 95 % interval.
        high: Upper end of it.
        different: Whether that is at least 5 %, and pairs of one loop would not come to it by
            chance in one case of a hundred.
        pairs: How many pairs it is made from.
    """

    ratio: float
    low: float
    high: float
    different: bool
    pairs: int


def paired_ratio(pairs: Sequence[tuple[Times, Times]]) -> PairedRatio | None:
    """Compare two loops by pairs of runs.

    Student's t interval of the logarithms of the pairs' ratios; a run counts with the median of
    its steps after the first tenth.

    Args:
        pairs: The step times of both runs of each pair, in seconds, in order.

    Returns:
        The ratio; None where there are fewer than three pairs, or a run has fewer than 20 steps.
    """
    if (
        len(pairs) < FEWEST_PAIRS
        or min(len(each) for pair in pairs for each in pair) < FEWEST_STEPS
    ):
        return None
    apart = [math.log(_typical(second) / _typical(first)) for first, second in pairs]
    middle, error = fmean(apart), stdev(apart) / math.sqrt(len(apart))
    half = error * float(scipy.stats.t.ppf(0.975, len(apart) - 1))
    sure = error * float(scipy.stats.t.ppf(1 - ALPHA / 2, len(apart) - 1))
    return PairedRatio(
        ratio=math.exp(middle),
        low=math.exp(middle - half),
        high=math.exp(middle + half),
        different=abs(middle) >= max(SMALLEST_DIFFERENCE, sure),
        pairs=len(apart),
    )


def _typical(seconds: Times) -> float:
    return median(seconds[len(seconds) // 10 :])
