"""Thinning: one column of a run with fewer points than it has steps, for whatever draws it.

One rule for the panel, pages, SVG and matplotlib, known as MinMax aggregation (Jugel and others,
"M4: a visualization-oriented time series data aggregation", PVLDB 7, 2014): consecutive steps are
cut into buckets of one width, and of each bucket the smallest value, the largest and the mean
survive, so that no spike is lost. The mean is drawn in the middle of its bucket, the other two as a
band around it.

A width is a power of two, and buckets begin at its multiples, so that a viewer that has to thin
further merges neighbours and gets what it would have got at once: buckets.js does so. Step 0 has a
bucket of its own: it is TensorFlow's start-up, and would colour all of a bucket.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.record import Run
from labkit.stats.machine.contention import own_seconds

# For a picture of some 800 points' width drawn as text.
SVG_POINTS = 400
# How long the step's thread was ready and had no processor, as the scheduler counts it; how long
# all threads of its process had one, and how long this thread had.
WAITED, PROCESSOR, THREAD = "run_queue_seconds", "cpu_seconds", "thread_seconds"


@dataclass(frozen=True)
class Curve:
    """One column, thinned to be drawn; where nothing was measured it has no point.

    Args:
        steps: The middle of each bucket.
        means: Mean of each bucket.
        lows: Smallest of each.
        highs: Largest of each.
        count: How many values there were.
    """

    steps: tuple[float, ...]
    means: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    count: int


def read_curve(run: Run, most: int = SVG_POINTS, *, wall: bool = False) -> Curve:
    """Return the step times of a run in milliseconds, as `curve_of` thins them.

    Args:
        run: What was recorded.
        most: How many buckets there may be.
        wall: Whether the time in which other programs had the processor is drawn as well. Without
            it, it is left out where it was counted.
    """
    seconds = np.asarray(run.steps.seconds) if wall else own_seconds_of(run)
    return curve_of(seconds * 1e3, most)


def own_seconds_of(run: Run) -> NDArray[np.float64]:
    """Return the loop's own time of each step where it was counted, else the whole of it."""
    return own_of(
        np.asarray(run.steps.seconds), lambda name: run.steps.column(name), run.steps.names
    )


def own_of(
    seconds: NDArray[np.float64],
    read: Callable[[str], Sequence[float] | NDArray[np.float64]],
    names: Collection[str],
) -> NDArray[np.float64]:
    """Return the loop's own time of some steps: without what other programs surely took.

    Args:
        seconds: How long they took.
        read: Returns one of their columns by its name; it may be longer.
        names: The columns that there are.
    """
    if WAITED not in names:
        return seconds
    waited = np.asarray(read(WAITED))[: len(seconds)]
    beside = np.zeros(len(waited))
    if PROCESSOR in names and THREAD in names:
        processor, thread = (np.asarray(read(each))[: len(waited)] for each in (PROCESSOR, THREAD))
        beside = processor - thread[: len(processor)]
    known = min(len(seconds), len(waited), len(beside))
    return own_seconds(seconds[:known], waited[:known], beside[:known])


def curve_of(
    values: NDArray[np.float64], most: int = SVG_POINTS, *, with_first: bool = False
) -> Curve:
    """Return a column, thinned to at most `most` buckets besides that of its first value.

    Args:
        values: One for each step, from the first; NaN where nothing was measured.
        most: How many buckets there may be.
        with_first: Whether the first value is drawn as well.
    """
    count = len(values)
    if count < 2:
        return Curve((), (), (), (), count)
    starts = bucket_starts(0, count, bucket_width(count, most))
    low, high, mean = thin(values, starts)
    middles = (starts + np.append(starts[1:], count) - 1) / 2
    kept = np.flatnonzero(np.isfinite(mean) & (with_first | (starts > 0)))
    steps, means, lows, highs = (tuple(row[kept].tolist()) for row in (middles, mean, low, high))
    return Curve(steps, means, lows, highs, count)


def bucket_width(count: int, most: int) -> int:
    """Return the smallest power of two with which so many steps make at most `most` buckets."""
    width = 1
    while count > most * width:
        width *= 2
    return width


def bucket_starts(since: int, end: int, width: int) -> NDArray[np.int64]:
    """Return the first step of every bucket that covers steps `since` to `end - 1`."""
    inner = np.arange((since // width + 1) * width, end, width)
    first = [since] if since or width == 1 or end <= 1 else [0, 1]
    return np.concatenate([np.array(first, dtype=np.int64), inner])


def thin(
    values: NDArray[np.float64], starts: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return smallest, largest and mean of every bucket; what was not measured is left out."""
    measured = np.isfinite(values)
    counts = np.add.reduceat(measured, starts, dtype=np.int64)
    sums = np.add.reduceat(np.where(measured, values, 0.0), starts)
    means = np.divide(sums, counts, out=np.full(len(starts), np.nan), where=counts > 0)
    return np.fmin.reduceat(values, starts), np.fmax.reduceat(values, starts), means
