"""Steps: a sequence of steps that is stored as columns. Tier: make test."""

from __future__ import annotations

import math

import pytest

from labkit.record import LabkitError, Step, Steps
from tests.record.example import steps


def test_a_step_has_its_place_its_times_and_its_evidence() -> None:
    assert steps([0.5, 0.25], [1.0, 2.0])[1] == Step(1, 1.0, 0.25, {"graph_ops": 2.0})


def test_the_last_step_can_be_asked_for_from_the_end() -> None:
    assert steps([0.5, 0.25])[-1].index == 1


def test_a_slice_is_steps_again() -> None:
    part = steps([0.5, 0.25, 0.125])[1:]
    assert isinstance(part, Steps)
    assert list(part.seconds) == [0.25, 0.125]


def test_steps_can_be_walked_through_in_order() -> None:
    assert [step.seconds for step in steps([0.5, 0.25])] == [0.5, 0.25]


def test_steps_end_where_they_end() -> None:
    with pytest.raises(IndexError):
        steps([0.5])[1]


def test_no_steps_are_steps_too() -> None:
    empty = steps([])
    assert len(empty) == 0
    assert list(empty) == []


def test_equal_steps_are_equal_also_where_nothing_was_measured() -> None:
    """NaN differs from itself, and a run read from a file must equal the one that was saved."""
    assert steps([0.5], [math.nan]) == steps([0.5], [math.nan])


@pytest.mark.parametrize("other", [steps([0.25]), steps([0.5, 0.5]), Steps(
    {"start_seconds": [0.0], "seconds": [0.5]}), "steps"])  # fmt: skip
def test_other_steps_are_not_equal(other: object) -> None:
    assert steps([0.5]) != other


def test_an_unknown_column_is_refused_with_the_list_of_those_recorded() -> None:
    with pytest.raises(LabkitError, match=r"no column 'loss'; it recorded: start_seconds, seconds"):
        steps([0.5]).column("loss")


def test_a_run_without_a_step_says_so_and_not_which_columns_it_lacks() -> None:
    with pytest.raises(LabkitError, match=r"'loss', for this run has no step; its state\.reason"):
        steps([]).column("loss")


@pytest.mark.parametrize("missing", ["start_seconds", "seconds"])
def test_steps_without_their_times_are_refused(missing: str) -> None:
    columns = {"start_seconds": [0.0], "seconds": [0.5]}
    del columns[missing]
    with pytest.raises(LabkitError, match=f"lack the column '{missing}'"):
        Steps(columns)


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(LabkitError, match="one length"):
        Steps({"start_seconds": [0.0], "seconds": [0.5, 0.5]})


def test_steps_keep_their_own_copy_of_what_they_were_given() -> None:
    given = [0.5, 0.25]
    kept = Steps({"start_seconds": [0.0, 1.0], "seconds": given})
    given[0] = 99.0
    assert kept.seconds[0] == 0.5
