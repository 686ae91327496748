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
from labkit.lab.own_loop.alarms.untested import untested, untested_sentence
from labkit.lab.own_loop.request import KINDS
from labkit.record import Finding, Steps
from labkit.record.diagnosis import Doubt
from labkit.record.proof import BetweenGrew
from labkit.show.report.diagnosis_words import healthy
from labkit.show.report.terminal import diagnosis_lines
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


def doubt_of(between: Sequence[float]) -> Doubt | None:
    loop = loop_of(between)
    return with_between(examine(loop.run), loop).between


@pytest.mark.parametrize(
    "between",
    [
        [0.6, 1.2, 2.4, 4.8, 9.6],  # too few
        [0.3, 0.6, 1.2, 1.1, 2.4, 2.3, 3.6, 3.5],  # not one after the other
    ],
)
def test_of_most_of_the_time_that_may_grow_and_cannot_be_told_there_is_a_doubt(
    between: Sequence[float],
) -> None:
    """Seen: nine tenths of a script's time lay there, grew 16-fold, and a gate passed it."""
    doubt = doubt_of(between)
    assert doubt is not None and doubt.last > 2 * doubt.first and 0.5 < doubt.share < 1
    assert 3 <= doubt.times <= len(between)
    loop = loop_of(between)
    said = with_between(examine(loop.run), loop)
    assert "slowdown" in untested(said, KINDS) and not healthy(said)
    assert untested_sentence(said).endswith("let it make more epochs")
    assert "of the time and went from" in "\n".join(diagnosis_lines(said)).replace("\n  ", " ")


@pytest.mark.parametrize(
    "between",
    [
        [0.9, 0.8, 1.0, 0.9, 1.1],  # steady, as a validation is
        [2.0, 0.6, 0.6, 0.6, 0.7],  # a first time that is slow
        [0.05, 0.1, 0.2],  # hardly any time
        [0.5, 9.0],  # no trend at all
        np.linspace(0.2, 0.8, 16),  # a finding, and no doubt
        0.5 * NOISE[:40],
    ],
)
def test_what_is_steady_takes_little_time_or_is_proved_is_no_doubt(
    between: Sequence[float],
) -> None:
    assert doubt_of(between) is None


def test_a_loop_that_is_entered_once_has_nothing_between() -> None:
    assert findings_of(loop_of([0.5])) == []


def test_it_is_waited_for_where_it_takes_much_of_the_time_and_was_seen_seldom() -> None:
    assert not enough_between(loop_of([0.5] * 8))
    assert enough_between(loop_of([0.5] * 14))
    assert enough_between(loop_of([0.001] * 8))
    assert enough_between(loop_of([0.5]))
