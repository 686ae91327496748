"""Which loop's turns are steps, and how its run is cut from the rows of a script.

Tier: make test.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from labkit.diagnosis.script.loop_run import COUNTED_ANEW
from labkit.diagnosis.script.loops import step_loops
from labkit.measure.registry import TABLES
from labkit.record import Run, State, Steps
from labkit.record.loop import LoopKind
from tests.diagnosis.script.rows import Row, epochs, script


def test_steps_are_batches_and_neither_epochs_nor_a_validation_pass() -> None:
    run = script([*epochs(4, 50, 30)], epochs="for", batches="for", validation="for")
    (found,) = step_loops(run)
    assert found.source.line == 20 and found.entries == 4
    assert list(found.run.steps.seconds) == [0.01] * 200
    # What was measured in a row stays with it, and what lies between is of no step.
    assert list(found.run.steps.column("graph_ops")[:3]) == [1.0, 2.0, 3.0]
    assert all(event.kind == "trace" for event in found.run.events)
    steps = [event.step for event in found.run.events]
    assert steps == sorted(steps) and max(steps) < 200
    pairs = found.run.evidence["live_tensors"]
    assert [step for step, _ in pairs] == sorted(step for step, _ in pairs)
    assert pairs[-1][0] <= 200


def test_two_networks_of_a_step_are_one_step_with_the_sum_of_both() -> None:
    rows: list[Row] = []
    for _ in range(40):
        rows += [(1, 0, True, 0, 0.002), (2, 1, True, 1, 0.01), (2, 1, True, 1, 0.03)]
        rows += [(1, 0, False, 0, 0.001)]
    (found,) = step_loops(script(rows, steps="for", networks="for"))
    assert found.source.line == 10 and len(found.run.steps) == 40
    assert list(found.run.steps.seconds) == pytest.approx([0.043] * 40)
    assert set(found.run.steps.column("ops_run")) == {8.0}
    assert list(found.run.steps.column("graph_ops")[:2]) == [3.0, 7.0]
    assert list(found.run.steps.column("tracing_seconds")) == pytest.approx([0.004] * 40)


def test_few_batches_each_epoch_make_the_epoch_a_step() -> None:
    (found,) = step_loops(script([*epochs(60, 2)], epochs="for", batches="for"))
    assert found.source.line == 10 and len(found.run.steps) == 60


def test_few_epochs_of_few_batches_leave_the_batch_a_step() -> None:
    (found,) = step_loops(script([*epochs(2, 6)], epochs="for", batches="for"))
    assert found.source.line == 20 and len(found.run.steps) == 12


def test_a_loop_of_many_fits_is_a_loop_beside_their_batches() -> None:
    rows: list[Row] = []
    for _ in range(25):
        rows += [(1, 0, True, 0, 0.1), (2, 1, True, 0, 0.001)]
        rows += [(3, 2, True, 1, 0.01)] * 20
        rows += [(2, 1, False, 0, 0.001)]
    found = step_loops(script(rows, folds="for", epochs="epoch", batches="fit"))
    assert [(each.source.line, len(each.run.steps)) for each in found] == [(10, 25), (30, 500)]
    assert list(found[0].run.steps.seconds) == pytest.approx([0.302] * 25)


@pytest.mark.parametrize(
    ("each_fold", "each_step", "lines"),
    [(1.0, 0.0, [10, 20]), (0.0, 0.0, [20]), (0.0, 1.0, [20])],
    ids=["a session for each fold", "one session", "a session for each step"],
)
def test_folds_that_each_open_a_session_are_steps_beside_the_batches_in_them(
    each_fold: float, each_step: float, lines: list[int]
) -> None:
    rows: list[Row] = []
    sessions: list[float] = []
    opened = 1.0
    for _ in range(25):
        rows += [(1, 0, True, 0, 0.1), *[(2, 1, True, 1, 0.01)] * 20]
        opened += each_fold
        sessions.append(opened)
        for _ in range(20):
            opened += each_step
            sessions.append(opened)
    run = script(rows, folds="for", batches="for")
    columns = {name: list(run.steps.column(name)) for name in run.steps.names}
    run = replace(run, steps=Steps({**columns, "sessions": sessions}))
    assert [each.source.line for each in step_loops(run)] == lines


def test_loops_one_after_the_other_are_each_told_the_longer_one_first() -> None:
    rows: list[Row] = [(1, 0, True, 1, 0.01)] * 30 + [(0, 0, False, 0, 1.0)]
    rows += [(2, 0, True, 1, 0.05)] * 100
    found = step_loops(script(rows, pretraining="while", tuning="for"))
    assert [(each.source.line, len(each.run.steps)) for each in found] == [(20, 100), (10, 30)]


def test_where_nothing_is_known_to_train_the_loop_that_works_will_do() -> None:
    (found,) = step_loops(script([(1, 0, True, 0, 0.01)] * 20, steps="while"))
    assert found.source.line == 10 and len(found.run.steps) == 20


def test_a_turn_that_does_not_train_in_a_loop_that_does_is_no_step() -> None:
    """As the last one, which only finds that there is no more data."""
    rows: list[Row] = [(1, 0, True, 1, 0.01)] * 20 + [(1, 0, True, 0, 0.0001)]
    (found,) = step_loops(script(rows, steps="for"))
    assert len(found.run.steps) == 20


@pytest.mark.parametrize(("line", "expected"), [(12, 10), (22, 20), (30, 30), (34, 30)])
def test_the_loop_that_was_named_is_taken_whatever_it_does(line: int, expected: int) -> None:
    run = script([*epochs(4, 50, 30)], epochs="for", batches="for", validation="for")
    (found,) = step_loops(run, ("train.py", line))
    assert found.source.line == expected


def test_where_no_loop_is_named_there_there_are_no_steps() -> None:
    run = script([*epochs(4, 50)], epochs="for", batches="for")
    assert step_loops(run, ("train.py", 99)) == ()
    assert step_loops(run, ("other.py", 22)) == ()


def test_what_was_not_measured_in_any_row_of_a_turn_is_not_measured_in_it() -> None:
    run = script([*epochs(60, 2)], epochs="for", batches="for")
    columns = {name: list(run.steps.column(name)) for name in run.steps.names}
    columns["ops_run"] = [math.nan] * len(run.steps)
    columns["graph_ops"][:5] = [math.nan] * 5
    run = Run("a", "a", State("done"), run.columns, Steps(columns), events=run.events)
    (found,) = step_loops(run)
    assert all(math.isnan(value) for value in found.run.steps.column("ops_run"))
    assert math.isnan(found.run.steps.column("graph_ops")[0])
    assert found.run.steps.column("graph_ops")[1] == 9.0


def test_a_run_without_rows_has_no_loops() -> None:
    run = script([(1, 0, True, 1, 0.01)], steps="for")
    empty = Run("a", "a", State("done"), run.columns, run.steps[:0], events=run.events)
    assert step_loops(empty) == ()


def test_all_counters_that_begin_anew_with_each_row_are_summed() -> None:
    from labkit.measure.loops.training import TrainingProbe
    from labkit.measure.patches.copies import CopiesProbe
    from labkit.measure.patches.eager import EagerProbe
    from labkit.measure.patches.function.tracing import TracingProbe
    from labkit.measure.patches.input_pipeline import InputProbe
    from labkit.measure.patches.picking import PickingProbe
    from labkit.measure.patches.tape import TapeProbe

    probes = (
        TrainingProbe, CopiesProbe, EagerProbe, InputProbe, PickingProbe, TapeProbe, TracingProbe
    )  # fmt: skip
    anew = {name for probe in probes for name in probe.anew}
    anew |= {table.counter.name for table in TABLES.values() if table.per_step and table.counter}
    assert anew == COUNTED_ANEW


def test_what_a_next_loop_builds_is_no_evidence_of_the_one_before() -> None:
    """Recorded: a model of 32 MB, made between two trainings, was called a leak of the first."""
    rows: list[Row] = [*[(1, 0, True, 1, 0.01)] * 40, (0, 0, False, 0, 0.001)]
    rows += [(2, 0, True, 1, 0.01)] * 40
    run = script(rows, first="for", second="for")
    seen = {
        "heap_bytes": ((10, 5.0), (30, 5.0), (41, 37.0), (60, 37.0)),
        "live_tensors": ((10, 8.0), (30, 8.0), (41, 2.0), (41, 9.0), (60, 9.0)),
        "collectable_objects": ((41, 7.0),),
    }
    first, second = step_loops(replace(run, evidence=seen))
    assert first.run.evidence["heap_bytes"] == ((10, 5.0), (30, 5.0))
    assert first.run.evidence["live_tensors"] == ((10, 8.0), (30, 8.0), (40, 2.0))
    assert first.run.evidence["collectable_objects"] == ((40, 7.0),)
    assert second.run.evidence["heap_bytes"] == ((0, 37.0), (19, 37.0))


def test_few_fits_in_each_of_many_rounds_are_the_steps() -> None:
    rows: list[Row] = []
    for _ in range(40):
        rows += [(1, 0, True, 0, 0.001)]
        for _ in range(5):
            rows += [(2, 1, True, 0, 0.01), (3, 2, True, 0, 0.001)]
            rows += [(4, 3, True, 1, 0.002)] * 16
            rows += [(3, 2, False, 0, 0.001)]
    kinds: dict[str, LoopKind] = {"rounds": "for", "clients": "for", "e": "epoch", "batches": "fit"}
    found = step_loops(script(rows, **kinds))
    assert [each.source.line for each in found] == [20, 40]
    assert len(found[0].run.steps) == 200
