"""Which turns of a loop are its steps, where it trains in some of them only.

Tier: make test.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from labkit.diagnosis.script.loops import step_loops
from labkit.record.loop import LoopKind
from tests.diagnosis.script.rows import Row, script

BOTH: dict[str, LoopKind] = {"one": "for", "other": "for"}


def turns(loop: int, trains: Sequence[bool], *, outer: int = 0) -> list[Row]:
    return [(loop, outer, True, float(each), 0.01) for each in trains]


def each(period: int, count: int) -> list[bool]:
    """Return which of some turns train, the last of each period."""
    return [at % period == period - 1 for at in range(count)]


def found(rows: list[Row]) -> list[tuple[int, int]]:
    """Return the line of each loop whose turns are steps, and how many it has."""
    loops = step_loops(script(rows, **BOTH))
    return [(loop.source.line, len(loop.run.steps)) for loop in loops]


def test_an_agent_that_learns_in_each_fourth_turn_is_told_beside_another_loop() -> None:
    rows = turns(1, [True] * 80) + turns(2, each(4, 400))
    assert found(rows) == [(20, 400), (10, 80)]


@pytest.mark.parametrize("period", [2, 3, 4, 10, 50])
def test_all_turns_of_a_loop_that_trains_regularly_are_steps(period: int) -> None:
    assert found(turns(1, each(period, 1000))) == [(10, 1000)]
    # One in four that does not train is no exception either.
    assert found(turns(1, [not trains for trains in each(4, 1000)])) == [(10, 1000)]


def test_the_turns_in_which_an_agent_fills_its_buffer_are_no_steps() -> None:
    assert found(turns(1, [False] * 300 + each(4, 400))) == [(10, 397)]
    assert found(turns(1, [False] * 300 + [True] * 400)) == [(10, 400)]


def test_a_validation_in_the_loop_that_trains_is_no_step() -> None:
    one_turn = [True] * 20 + [False]
    assert found(turns(1, one_turn * 10)) == [(10, 200)]
    a_pass = [*each(4, 200), *[False] * 100]
    assert found(turns(1, a_pass * 4)) == [(10, 791)]


def test_a_function_that_goes_through_data_for_both_has_steps_where_it_trains() -> None:
    """Its loop trains in a fifth of its turns, and is the one that trains."""
    rows: list[Row] = []
    for _ in range(5):
        rows += [(1, 0, True, 0, 0.001), *turns(2, [True] * 50, outer=1)]
        rows += [(1, 0, False, 0, 0.001), *turns(2, [False] * 200, outer=1)]
        rows += [(1, 0, False, 0, 0.001)]
    assert found(rows) == [(20, 250)]


def test_an_episode_that_learns_once_at_its_end_is_the_step() -> None:
    rows: list[Row] = []
    for _ in range(60):
        rows += [(1, 0, True, 0, 0.001), *turns(2, each(50, 50), outer=1)]
        rows += [(1, 0, False, 0, 0.001)]
    assert found(rows) == [(10, 60)]


def test_an_episode_in_which_an_agent_learns_often_has_its_turns_as_steps() -> None:
    rows: list[Row] = []
    for _ in range(10):
        rows += [(1, 0, True, 0, 0.001), *turns(2, each(4, 50), outer=1)]
        rows += [(1, 0, False, 0, 0.001)]
    assert found(rows) == [(20, 500)]


def test_where_an_agent_learns_after_a_thousand_turns_each_time_is_a_step() -> None:
    """Its four minibatches are a part of no turn of the world."""
    rows: list[Row] = []
    for _ in range(20):
        rows += turns(1, [False] * 1000)
        rows += [*turns(2, [True] * 4, outer=1), (1, 0, False, 0, 0.001)]
    assert found(rows) == [(20, 80)]


def test_a_validation_in_which_something_is_trained_now_and_then_is_no_training() -> None:
    rows = turns(1, [True] * 80) + turns(2, [True, *[False] * 199] * 3)
    assert found(rows) == [(10, 80)]
