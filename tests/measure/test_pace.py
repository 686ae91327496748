"""The pace: how many steps are read as one, by what reading costs and what the steps do."""

from __future__ import annotations

import pytest

from labkit.measure.pace import FIRST_READINGS, LONGEST_BLOCK, SHARE_OF_TIME, Pace

CHEAP, DEAR = 1e-7, 1.0


def settled(step_seconds: float, cost_seconds: float) -> Pace:
    pace = Pace()
    for _ in range(FIRST_READINGS):
        pace.after(step_seconds, cost_seconds)
    return pace


def test_the_first_steps_are_read_one_by_one_whatever_it_costs() -> None:
    pace = Pace()
    for _ in range(FIRST_READINGS - 1):
        pace.after(1e-3, DEAR)
        assert pace.block == 1
    pace.after(1e-3, DEAR)
    assert pace.block == LONGEST_BLOCK


@pytest.mark.parametrize(
    ("step_seconds", "cost_seconds"), [(1e-3, 15e-6), (1e-2, 60e-6), (1.0, 1e-4), (1e-4, 1e-8)]
)
def test_reading_keeps_to_its_share_of_the_time_or_to_the_longest_block(
    step_seconds: float, cost_seconds: float
) -> None:
    pace = settled(step_seconds, cost_seconds)
    share = cost_seconds / (pace.block * step_seconds)
    assert share <= SHARE_OF_TIME or pace.block == LONGEST_BLOCK
    fewer = cost_seconds / (max(1, pace.block - 1) * step_seconds)
    assert pace.block == 1 or fewer > SHARE_OF_TIME


def test_one_step_that_takes_long_does_not_move_what_is_usual_by_much() -> None:
    pace = settled(1e-3, DEAR)
    pace.after(0.1, DEAR)
    assert pace.unusual_seconds < 2e-3
    pace.after(1e-3, DEAR)
    assert pace.unusual_seconds == pytest.approx(1.5e-3)


def test_a_level_that_stays_is_usual_after_a_few_readings() -> None:
    pace = settled(1e-3, DEAR)
    readings = 0
    while pace.unusual_seconds < 4e-3:
        pace.after(4e-3, DEAR)
        readings += 1
    assert readings < 6


def test_after_a_lost_block_the_next_is_no_longer_than_that_and_much_later_it_is() -> None:
    pace = settled(1e-3, DEAR)
    pace.lost(3)
    pace.after(1e-3, DEAR)
    assert pace.block == 3
    for _ in range(400):
        pace.after(1e-3, DEAR)
    assert pace.block == LONGEST_BLOCK


def test_where_a_block_of_one_is_lost_there_are_none() -> None:
    pace = settled(1e-3, DEAR)
    pace.lost(1)
    assert pace.block == 1
