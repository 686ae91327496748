"""A run as a table: what a cell says of the steps of its range."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from labkit.record import Column
from labkit.show.table import table_rows
from tests.show.standin import COLUMNS, StandInPlayer

OPS = next(column for column in COLUMNS if column.name == "graph_ops")
PAUSE = next(column for column in COLUMNS if column.name == "garbage_collection_seconds")


@pytest.mark.parametrize(
    ("lane", "cell"),
    [
        (OPS, "103 ops"),  # as at the end
        (replace(OPS, kind="machine"), "101 ops"),  # a level: no sum of the steps
        (PAUSE, "8.0 ms"),
    ],
)
def test_a_range_of_steps_is_told_in_one_figure(lane: Column, cell: str) -> None:
    run = StandInPlayer().start({})
    run.append(np.full(80, 0.02), ops=np.tile([100.0, 101, 101, 103], 20), pause=np.full(80, 0.002))
    heading, first, *rest = table_rows(run.snapshot(), (lane,))
    assert heading[-1] == lane.title
    assert first[-1] == cell
    assert len(rest) == 19
