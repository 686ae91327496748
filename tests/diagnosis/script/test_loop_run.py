"""What was seen in a loop, and when it was over. Tier: make quick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from labkit.diagnosis.script.loops import step_loops
from tests.diagnosis.script.rows import Row, epochs, script

# Each of 8 epochs makes a pipeline anew, and the functions of the old ones wait for a collection.
ROWS: list[Row] = [*epochs(8, 40), (0, 0, False, 0, 0.001)]
WAITING = tuple((at, float(3 * (at // 42))) for at in range(0, len(ROWS) - 4, 20))


def seen(
    rows: Sequence[Row], functions: tuple[tuple[int, float], ...], **more: tuple[int, float]
) -> dict[str, tuple[tuple[int, float], ...]]:
    """Return what was seen in the loop that most of the rows are of."""
    evidence = {"py_functions": functions, **{name: (pair,) for name, pair in more.items()}}
    run = replace(script(list(rows), epoch="for", batch="for", other="for"), evidence=evidence)
    [loop] = [each for each in step_loops(run) if each.source.line == 20]
    return dict(loop.run.evidence)


def test_what_a_collection_took_when_the_loops_around_were_over_was_not_kept() -> None:
    """Seen: a healthy script was accused of a leak in 2 of 7 runs."""
    closing = len(ROWS)
    found = seen(ROWS, (*WAITING, (closing, 3.0)), collectable_objects=(closing, 900.0))
    assert found["py_functions"][-1] == (320, 3.0)


@pytest.mark.parametrize("later", [500.0, 24.5])
def test_what_is_made_after_a_loop_is_none_of_it(later: float) -> None:
    closing = len(ROWS)
    found = seen(ROWS, (*WAITING, (closing, later)), collectable_objects=(closing, 900.0))
    assert found["py_functions"][-1] == (WAITING[-1][0] - 2 * 7 - 8, WAITING[-1][1])


def test_what_is_left_after_another_loop_says_nothing_of_the_first() -> None:
    rows = [*ROWS, *[(3, 0, True, 0, 0.01)] * 5, (0, 0, False, 0, 0.001)]
    closing = len(rows)
    found = seen(rows, (*WAITING, (closing, 3.0)), collectable_objects=(closing, 900.0))
    assert found["py_functions"][-1][1] == WAITING[-1][1]


def test_what_is_counted_only_when_a_loop_is_over_is_told_of_that_loop_alone() -> None:
    closing = len(ROWS)
    assert "collectable_objects" not in seen(ROWS, WAITING, collectable_objects=(closing, 9.0))
    after_batches = seen(ROWS[:-2], WAITING, collectable_objects=(closing - 2, 9.0))
    assert after_batches["collectable_objects"] == ((320, 9.0),)
