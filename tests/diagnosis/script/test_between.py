"""What is done between the steps is told of where it takes longer each time, and only there.

Tier: make test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from labkit.diagnosis import examine
from labkit.diagnosis.script.between import enough_between, with_between
from labkit.diagnosis.script.loops import StepLoop, step_loops
from labkit.record import Finding, Steps
from labkit.record.proof import BetweenGrew
from tests.diagnosis.script.rows import epochs, script

NOISE = np.random.default_rng(3).normal(1.0, 0.05, 40)


def loop_of(between: Sequence[float], *, sampled: Sequence[int] = ()) -> StepLoop:
    """The loop over the batches of a script, and what follows the steps of each epoch."""
    rows = [*epochs(len(between), 40, between=between)]
    run = script(rows, epochs="for", batches="for")
    marks = np.zeros(len(rows))
    marks[[at for at, row in enumerate(rows) if at in sampled]] = 1.0
    columns = {name: np.asarray(run.steps.column(name)) for name in run.steps.names}
    (found,) = step_loops(replace(run, steps=Steps({**columns, "sampled": marks})))
    return found


def findings_of(loop: StepLoop) -> list[Finding]:
    said = with_between(examine(loop.run), loop)
    return [each for each in said.findings if each.kind == "between"]


@pytest.mark.parametrize("count", [10, 40])
def test_what_takes_four_times_as_long_in_the_end_is_found(count: int) -> None:
    (found,) = findings_of(loop_of(np.linspace(0.2, 0.8, count) * NOISE[:count]))
    proof = found.proof
    assert isinstance(proof, BetweenGrew) and found.cause in ("between_steps", "history")
    assert count - 2 <= proof.times <= count
    assert 2.5 < proof.last_seconds / proof.first_seconds < 5
    assert proof.low < 3 < proof.high + 0.6


@pytest.mark.parametrize("count", [5, 10, 40])
def test_what_stays_as_it_is_is_passed_over(count: int) -> None:
    assert findings_of(loop_of(0.3 * NOISE[:count])) == []


def test_a_slow_first_time_is_no_growth_and_none_is_a_faster_end() -> None:
    assert findings_of(loop_of([2.0, *(0.3 * NOISE[:15])])) == []
    assert findings_of(loop_of(np.linspace(0.8, 0.2, 16))) == []


def test_what_hardly_takes_time_is_passed_over_however_it_grows() -> None:
    assert findings_of(loop_of(np.linspace(0.001, 0.01, 16))) == []


def test_five_times_are_too_few_to_tell() -> None:
    assert findings_of(loop_of(np.linspace(0.2, 0.8, 6))) == []


def test_a_loop_that_is_entered_once_has_nothing_between() -> None:
    assert findings_of(loop_of([0.5])) == []


def test_it_is_waited_for_where_it_takes_much_of_the_time_and_was_seen_seldom() -> None:
    assert not enough_between(loop_of([0.5] * 8))
    assert enough_between(loop_of([0.5] * 14))
    assert enough_between(loop_of([0.001] * 8))
    assert enough_between(loop_of([0.5]))
