"""A part of a run on its way to a viewer: its newest steps, thinned where there are many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.show.live.source import Source
from labkit.show.thinning import WAITED, bucket_starts, bucket_width, own_of, thin

OWN, WALL = "own_seconds", "seconds"
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
    width = bucket_width(count - since, most)
    columns = [_read(source, name, since, end) for name in series]
    end = since + min((len(column) for column in columns), default=0)
    columns = [column[: end - since] for column in columns]
    if width > 1 and end > since:
        edges = bucket_starts(since, end, width) - since
        columns = [row for column in columns for row in thin(column, edges)]
    # Times of day and bytes lose digits in 32 bits; the chart has 1,000 pixels.
    values = np.concatenate(columns) if columns else np.empty(0)
    return Part(since, end, width, series, values.astype(np.float32))


def counted(source: Source) -> bool:
    """Tell whether the system counts how long the loop waits for a processor."""
    return any(column.name == WAITED for column in source.columns)


def _read(source: Source, name: str, start: int, end: int) -> NDArray[np.float64]:
    if name != OWN:
        return source.read(name, start, end)
    names = {column.name for column in source.columns}
    wall = source.read(WALL, start, end)
    return own_of(wall, lambda name: source.read(name, start, end), names)
