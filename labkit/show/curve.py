"""One column of a run, thin enough for a still picture: most often the iteration-time curve.

Numbers only; what draws them is another file's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.show.parts import bucket_starts, thin
from labkit.show.source import Source

# For a picture of some 700 points' width drawn as text.
SVG_POINTS = 300


@dataclass(frozen=True)
class Curve:
    """One column, a value a bucket; the very first step, TensorFlow's start-up, is left out.

    Args:
        steps: The first step of each bucket.
        means: Mean of each bucket.
        lows: Smallest of each.
        highs: Largest of each.
        count: How many steps the run has.
    """

    steps: tuple[int, ...]
    means: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    count: int


def read_curve(source: Source, most: int = SVG_POINTS) -> Curve:
    """Read the step times of a run, in progress or finished, in milliseconds."""
    return curve_of(source.read("seconds", 0, source.count) * 1e3, most)


def curve_of(values: NDArray[np.float64], most: int) -> Curve:
    """Thin a column to at most about `most` buckets."""
    width = 1
    while len(values) > most * width:
        width *= 2
    if len(values) < 2:
        return Curve((), (), (), (), len(values))
    starts = bucket_starts(0, len(values), width)
    low, high, mean = thin(values, starts)
    kept = np.flatnonzero(np.isfinite(mean) & (starts > 0))
    return Curve(
        tuple(starts[kept].tolist()),
        tuple(mean[kept].tolist()),
        tuple(low[kept].tolist()),
        tuple(high[kept].tolist()),
        len(values),
    )


def top_milliseconds(curves: Sequence[Curve]) -> float:
    """Return a round top of the scale; spikes that would squash the rest stay outside."""
    drawn = [curve for curve in curves if curve.means]
    if not drawn:
        return 10.0
    highest = max(max(curve.highs) for curve in drawn)
    level = max(_level(curve) for curve in drawn)
    wanted = max(highest * 1.04 if highest <= 3 * level else 1.7 * level, 1e-6)
    scale = 10.0 ** np.floor(np.log10(wanted))
    nice = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    return float(next(scale * k for k in nice if scale * k >= wanted * 0.999))


def _level(curve: Curve) -> float:
    """Return the highest level that lasts: the largest median of nine neighbours.

    Not a share of all steps: a few slow ones among thousands of fast ones are no spikes.
    """
    means = np.asarray(curve.means)
    windows = np.lib.stride_tricks.sliding_window_view(means, min(9, len(means)))
    return float(np.median(windows, axis=1).max())
