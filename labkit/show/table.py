"""A run as a small table: some twenty ranges of steps, one row each.

The chart for those who do not see it, and exact numbers for those who do. Knows no widgets.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from labkit.record import Column, quantity
from labkit.show.source import Source

ROWS = 20


def table_rows(source: Source, lanes: tuple[Column, ...] = ()) -> tuple[tuple[str, ...], ...]:
    """Return a heading and at most twenty rows of text.

    Args:
        source: The run.
        lanes: Evidence to give beside the times: a counter as it stood at the end of the range,
            seconds as their sum, what else is counted of the machine as the median.
    """
    lanes = tuple(lane.shown for lane in lanes)
    heading = ("steps", "median a step", "slowest step", *(lane.title for lane in lanes))
    count = source.count
    rows = min(ROWS, count)
    edges = [count * row // rows for row in range(rows + 1)] if rows else []
    body = (_row(source, lanes, start, end) for start, end in pairwise(edges))
    return (heading, *body)


def _row(source: Source, lanes: tuple[Column, ...], start: int, end: int) -> tuple[str, ...]:
    seconds = source.read("seconds", start, end)
    where = f"{start:,}" if end - start == 1 else f"{start:,}-{end - 1:,}"
    cells = [
        where,
        quantity.duration(float(np.median(seconds))),
        quantity.duration(float(seconds.max())),
    ]
    for lane in lanes:
        values = source.read(lane.name, start, end)
        values = values[np.isfinite(values)]
        if not len(values):
            cells.append("not measured")
        elif lane.kind == "counter":
            cells.append(quantity.quantity(float(values[-1]), lane.unit))
        elif lane.unit == "s":
            cells.append(quantity.quantity(float(values.sum()), lane.unit))
        else:  # some are a level, such as free chunks: a sum would be more than there ever were
            usual = np.quantile(values, 0.5, method="lower")
            cells.append(quantity.quantity(float(usual), lane.unit))
    return tuple(cells)
