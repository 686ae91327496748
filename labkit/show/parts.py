"""A part of a run on its way to a viewer: its newest steps, thinned where there are many.

Thinning keeps the smallest, the largest and the mean of every bucket, so no spike is lost. Buckets
are aligned to multiples of their width (a power of two), so a viewer can merge them later. Step 0
always travels alone: it is TensorFlow's start-up, and would colour its whole bucket.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.show.source import Source

# One answer never reads more steps than this, so that it stays within milliseconds; the viewer
# asks again at once for the rest.
MOST_STEPS = 32_768


@dataclass(frozen=True)
class Part:
    """Some consecutive steps of one run.

    Args:
        since: First step.
        next: One past the last step: where the next part starts.
        width: Steps a bucket; 1 means every step is there.
        series: The columns, in the order they lie in `values`.
        values: For width 1 the values of each series; else, for each series, the smallest values,
            then the largest, then the means.
    """

    since: int
    next: int
    width: int
    series: tuple[str, ...]
    values: NDArray[np.float32]


def read_part(source: Source, series: tuple[str, ...], since: int, *, most: int) -> Part:
    """Read what came after step `since`, in at most about `most` buckets.

    Args:
        source: The run.
        series: The columns wanted; a run that records none yet gives an empty part.
        since: First step wanted.
        most: How many values a series the viewer wants at most.
    """
    count = source.count if series else 0
    since = min(max(0, since), count)
    end = min(count, since + MOST_STEPS)
    width = 1
    while (count - since) > most * width:
        width *= 2
    columns = [source.read(name, since, end) for name in series]
    end = since + min((len(column) for column in columns), default=0)
    columns = [column[: end - since] for column in columns]
    if width > 1 and end > since:
        edges = bucket_starts(since, end, width) - since
        columns = [row for column in columns for row in thin(column, edges)]
    # Times of day and bytes lose digits in 32 bits; the chart has 1,000 pixels.
    values = np.concatenate(columns) if columns else np.empty(0)
    return Part(since, end, width, series, values.astype(np.float32))


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
