"""The curve leaves out what other programs surely took, and nothing that may be the loop's own.

Tier: make quick.
"""

from __future__ import annotations

import numpy as np
import pytest

from labkit.record import Column, Run, State, Steps
from labkit.show.thinning import PROCESSOR, THREAD, WAITED, own_of, own_seconds_of

WALL = [0.010, 0.010, 0.010]


def run(**columns: list[float]) -> Run:
    clock = {"start_seconds": [0.0, 0.01, 0.02], "seconds": WALL}
    described = tuple(Column(name, name, "s", "machine") for name in columns)
    return Run("mine", "Mine", State("done"), described, Steps({**clock, **columns}))


@pytest.mark.parametrize(
    ("processor", "thread", "left"),
    [
        ([0.004] * 3, [0.004] * 3, [0.010, 0.004, 0.010]),
        # Its own pool had the processor for 4 of the 6 ms for which it waited, or for all of them.
        ([0.008] * 3, [0.004] * 3, [0.010, 0.008, 0.010]),
        ([0.012] * 3, [0.004] * 3, [0.010, 0.010, 0.010]),
        # Nobody read it.
        ([np.nan] * 3, [0.004] * 3, [0.010, 0.004, 0.010]),
    ],
)
def test_what_the_loops_own_threads_may_have_had_is_not_taken_away(
    processor: list[float], thread: list[float], left: list[float]
) -> None:
    """Seen: half of a step of 0.7 ms, on two cores with nothing else to do."""
    columns = {WAITED: [0.0, 0.006, np.nan], PROCESSOR: processor, THREAD: thread}
    assert own_seconds_of(run(**columns)) == pytest.approx(left)


def test_a_run_of_before_threads_were_counted_is_drawn_as_it_was() -> None:
    assert own_seconds_of(run(**{WAITED: [0.0, 0.006, 0.02]})) == pytest.approx([0.01, 0.004, 0])
    assert own_seconds_of(run()) == pytest.approx(WALL)


def test_of_columns_that_are_not_all_read_yet_the_steps_that_are_known_are_told() -> None:
    """A run in progress: each column is read a moment after the one before it."""
    columns = {WAITED: np.zeros(5), PROCESSOR: np.ones(2), THREAD: np.ones(4)}
    assert len(own_of(np.ones(3), columns.__getitem__, columns)) == 2
