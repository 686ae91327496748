"""What is trained within a row, by a loop that nobody sees, is counted; what a step has is not.

Tier: make test.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from labkit.diagnosis.script.loops import step_loops
from labkit.diagnosis.script.unseen import Unseen, seconds_of_children, trained, trained_unseen
from labkit.record.loop import CHILDREN_SECONDS, UNSEEN_SECONDS, UNSEEN_TRAININGS, LoopKind
from tests.diagnosis.script.rows import Row, epochs, script

KINDS: dict[str, LoopKind] = {"epochs": "for", "batches": "for", "validation": "for"}


def unseen(rows: list[Row], *, in_no_row: int = 0) -> int:
    run = script(rows, **KINDS)
    if in_no_row:
        run = replace(run, evidence={UNSEEN_TRAININGS: ((len(rows), float(in_no_row)),)})
    return trained_unseen(run, step_loops(run)).times


def test_a_few_turns_with_many_trainings_each_hide_a_loop() -> None:
    assert unseen([(1, 0, True, 500, 1.0)] * 3) == 1500
    assert unseen([(1, 0, True, 40, 1.0)] * 7, in_no_row=41) == 321


def test_a_loop_that_is_hidden_between_the_epochs_of_another_is_counted() -> None:
    rows: list[Row] = []
    for _ in range(30):
        rows += [*epochs(1, 40), (1, 0, False, 100, 1.0)]
    assert unseen(rows) == 3000


def test_a_loop_that_is_hidden_in_few_of_many_steps_is_counted() -> None:
    usual: list[Row] = [(1, 0, True, 1, 0.01)] * 100
    assert unseen([*usual, (1, 0, True, 91, 1.0)] * 3) == 273


def fits(rounds: int, batches: int, without_rows: int) -> list[Row]:
    """Return rounds of a fit each, of which the last are written without their batches."""
    shown: list[Row] = [(1, 0, True, 0, 0.1), *[(2, 1, True, 1, 0.01)] * batches]
    return [*shown * rounds, *[(1, 0, True, batches, 0.3)] * without_rows]


def test_a_fit_of_few_batches_that_is_known_is_no_hidden_loop() -> None:
    """Seen: of twenty fits of 15 batches the last eight were said to be outside all loops."""
    run = script(fits(11, 15, 8), rounds="for", batches="fit")
    assert {each.source.kind for each in step_loops(run)} >= {"fit"}
    assert trained_unseen(run, step_loops(run, ("train.py", 10))).times == 0
    more = [*fits(11, 15, 8), (1, 0, True, 60, 1.0)]
    run = script(more, rounds="for", batches="fit")
    assert trained_unseen(run, step_loops(run, ("train.py", 10))).times == 60


GAN: list[Row] = [(1, 0, True, 1, 0.01), *[(2, 1, True, 1, 0.01)] * 8, (1, 0, False, 1, 0.01)]
HEALTHY: dict[str, list[Row]] = {
    "epochs with a validation": [*epochs(4, 50, 30)],
    "a warm-up before the loop": [(1, 0, True, 1, 0.01)] * 20 + [(2, 0, True, 1, 0.01)] * 200,
    "another loop beside it": [(1, 0, True, 1, 0.01)] * 80 + [(2, 0, True, 0, 0.01)] * 900,
    "two networks": GAN * 60,
    "gradients shown once an epoch": [*epochs(1, 50), (1, 0, False, 1, 0.1)] * 60,
    "a step with many parts": [(1, 0, True, 49, 0.1)] * 40,
    "whole trainings": [(1, 0, True, 300, 1.0)] * 25,
}


@pytest.mark.parametrize("rows", HEALTHY.values(), ids=HEALTHY)
def test_what_a_step_has_or_what_comes_once_between_is_seen(rows: list[Row]) -> None:
    assert unseen(rows) == 0


def test_what_was_in_no_row_is_counted_where_there_are_no_rows() -> None:
    run = script([(1, 0, True, 1, 0.01)], epochs="for")
    run = replace(run, steps=run.steps[:0], evidence={UNSEEN_TRAININGS: ((0, 90.0),)})
    assert trained_unseen(run, ()) == Unseen(90, 0, 0.0)


def test_it_is_no_evidence_of_a_loop() -> None:
    run = script([(1, 0, True, 1, 0.01)] * 40, epochs="for")
    counted = {"collectable_objects": ((40, 7.0),), UNSEEN_TRAININGS: ((40, 9.0),)}
    (loop,) = step_loops(replace(run, evidence=counted))
    assert set(loop.run.evidence) == {"collectable_objects"}


def test_all_trainings_and_the_time_of_children_are_told() -> None:
    run = script([(1, 0, True, 2, 0.01)] * 10, epochs="for")
    assert (trained(run), seconds_of_children(run)) == (20, 0)
    seen = {UNSEEN_TRAININGS: ((10, 9.0),), CHILDREN_SECONDS: ((10, 7.6),)}
    run = replace(run, evidence=seen)
    assert (trained(run), seconds_of_children(run)) == (29, 7)


def test_what_trained_unseen_is_timed_in_rows_and_in_none() -> None:
    run = script([(1, 0, True, 40, 1.5)] * 3, epochs="for")
    run = replace(run, evidence={UNSEEN_TRAININGS: ((3, 2.0),), UNSEEN_SECONDS: ((3, 9.0),)})
    assert trained_unseen(run, step_loops(run)) == Unseen(122, 0, pytest.approx(13.5))
