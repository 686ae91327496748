"""A run as a small table: some twenty ranges of steps, one row each.

The chart for those who do not see it, and exact numbers for those who do. Knows no widgets.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from labkit.record import Column, Run, quantity

ROWS = 20


def table_rows(run: Run, lanes: Sequence[Column] = ()) -> tuple[tuple[str, ...], ...]:
    """Return a heading and at most twenty rows of text.

    Args:
        run: The run.
        lanes: Evidence to give beside the times: a counter as it stood at the end of the range,
            seconds as their sum, what else is counted of the machine as the median.
    """
    lanes = tuple(lane.shown for lane in lanes)
    heading = ("steps", "median per step", "slowest step", *(lane.title for lane in lanes))
    columns = [
        np.asarray(run.steps.column(name)) if name in run.steps.names else np.empty(0)
        for name in ("seconds", *(lane.name for lane in lanes))
    ]
    count = len(run.steps)
    rows = min(ROWS, count)
    edges = [count * row // rows for row in range(rows + 1)] if rows else []
    body = (
        _row(start, [column[start:end] for column in columns], lanes)
        for start, end in pairwise(edges)
    )
    return (heading, *body)


def _row(
    start: int, columns: Sequence[NDArray[np.float64]], lanes: Sequence[Column]
) -> tuple[str, ...]:
    seconds, *evidence = columns
    end = start + len(seconds)
    cells = [
        f"{start:,}" if end - start == 1 else f"{start:,}-{end - 1:,}",
        quantity.duration(float(np.median(seconds))),
        quantity.duration(float(seconds.max())),
    ]
    for lane, read in zip(lanes, evidence, strict=True):
        values = read[np.isfinite(read)]
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
