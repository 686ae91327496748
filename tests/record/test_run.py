"""A run, its state and the stretches between two flips. Tier: make test."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from labkit.record import STATES, Event, Run, State, Steps
from tests.record.example import COLUMNS, full_run, steps, toggled


def run_of(count: int, *events: Event) -> Run:
    return replace(full_run(), steps=steps([0.1] * count), toggles={"grow": True}, events=events)


def cuts(run: Run) -> list[tuple[int, int, object]]:
    return [(part.start, part.end, part.toggles["grow"]) for part in run.stretches()]


def test_a_run_without_a_flip_is_one_stretch() -> None:
    assert cuts(run_of(10)) == [(0, 10, True)]


def test_each_flip_begins_a_stretch_with_the_new_values() -> None:
    run = run_of(10, toggled(4, "grow", False), toggled(7, "grow", True))
    assert cuts(run) == [(0, 4, True), (4, 7, False), (7, 10, True)]


def test_two_flips_at_one_step_make_one_cut() -> None:
    run = run_of(10, toggled(4, "grow", False), toggled(4, "mode", "chain"))
    assert cuts(run) == [(0, 4, True), (4, 10, False)]
    assert run.stretches()[1].toggles == {"grow": False, "mode": "chain"}


def test_a_flip_before_the_first_step_leaves_no_empty_stretch() -> None:
    assert cuts(run_of(10, toggled(0, "grow", False))) == [(0, 10, False)]


def test_a_flip_after_the_last_step_leaves_no_empty_stretch() -> None:
    assert cuts(run_of(10, toggled(10, "grow", False))) == [(0, 10, True)]


def test_a_run_without_a_step_is_one_empty_stretch() -> None:
    assert cuts(run_of(0)) == [(0, 0, True)]


def test_other_events_do_not_cut() -> None:
    assert cuts(run_of(10, Event(4, "gc", "garbage collection"))) == [(0, 10, True)]


def test_stretches_do_not_change_the_toggles_of_the_run() -> None:
    run = run_of(10, toggled(4, "grow", False))
    run.stretches()
    assert run.toggles == {"grow": True}


@pytest.mark.parametrize("name", STATES)
def test_a_state_has_ended_unless_it_is_starting_or_running(name: str) -> None:
    assert State(name).ended == (name not in ("starting", "running"))  # type: ignore[arg-type]


def test_only_work_or_time_that_is_up_completes_a_run() -> None:
    assert [name for name in STATES if State(name).completed] == ["done", "time_limit"]


def test_columns_can_be_asked_for_by_kind_in_recorded_order() -> None:
    run = full_run()
    assert run.column_of_kind("clock") == COLUMNS[:2]
    assert run.column_of_kind("machine") == ()


def test_a_run_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        full_run().cause = "other"  # type: ignore[misc]


def test_a_run_says_in_one_line_what_it_is() -> None:
    """Not its thousand steps: a learner sees this under a cell that ends with the run."""
    assert repr(full_run()) == "Run(graph_growth: 3 steps, failed)"


def _with_memory(device: str, **columns: list[float]) -> Run:
    measured = Steps({"start_seconds": [0.0, 1.0], "seconds": [0.1, 0.1], **columns})
    return replace(full_run(), steps=measured, environment={"device": device})


def test_memory_in_use_is_the_processs_and_on_a_card_that_of_its_tensors_as_well() -> None:
    """A loop that keeps tensors on a card would pass for one at rest by the process's alone."""
    kept = {"resident_bytes": [3e8, 3e8], "tensor_bytes": [1e6, 5e7]}
    assert _with_memory("gpu", **kept).memory_bytes == (3.01e8, 3.5e8)
    # The processor's tensors are a part of the process's memory.
    assert _with_memory("cpu", **kept).memory_bytes == (3e8, 3e8)
    assert _with_memory("gpu", resident_bytes=[3e8, 4e8]).memory_bytes == (3e8, 4e8)


def test_values_are_a_column_by_name_and_nothing_where_there_is_none() -> None:
    run = _with_memory("gpu", resident_bytes=[3e8, 4e8])
    assert list(run.values("resident_bytes")) == list(run.values("memory_bytes")) == [3e8, 4e8]
    assert list(run.values("graph_ops")) == []
    assert list(_with_memory("cpu").values("memory_bytes")) == []
