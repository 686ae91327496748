"""The scale of a chart: a round top that rare spikes do not push away, and round numbers on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from labkit.show.thinning import Curve


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


def nice_ticks(top: float, wanted: int) -> list[float]:
    """Return round numbers from 0 to at most `top`, about `wanted` of them.

    Args:
        top: Above zero.
        wanted: How many to aim at.
    """
    raw = top / wanted
    scale = 10.0 ** float(np.floor(np.log10(raw)))
    step = next(scale * nice for nice in (1, 2, 2.5, 5, 10) if scale * nice >= raw * 0.999)
    return [step * place for place in range(int(top * 1.0001 / step) + 1)]
