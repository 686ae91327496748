"""Numbers read for several steps at once are shared out: nothing is lost, nothing is made up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from labkit.measure.blocks import shared_out
from labkit.record import Column

COLUMNS = (
    Column("start_seconds", "start", "s", "clock"),
    Column("seconds", "time", "s", "clock"),
    Column("sampled", "looked at closely", "", "machine"),
    Column("cpu_seconds", "processor time", "s", "machine"),
    Column("canary_seconds", "canary", "s", "machine"),
    Column("ops_run", "ops", "ops", "counter"),
    Column("traces", "traces", "traces", "counter"),
    Column("gc_seconds", "collections", "s", "place"),
    Column("running_seconds", "running", "s", "place"),
)
NAN = float("nan")


def shared(
    seconds: Sequence[float], breaks: Sequence[int] = (), **columns: Sequence[float]
) -> dict[str, NDArray[np.float64]]:
    """Share out some columns; a step was read where the first of them is no NaN."""
    read = np.isfinite(next(iter(columns.values())))
    values = {"seconds": seconds, "sampled": np.where(read, 0.0, NAN), **columns}
    return shared_out(
        [column for column in COLUMNS if column.name in values],
        values,
        breaks=breaks,
        anew={"ops_run"},
        seldom={"canary_seconds"},
    )


def test_where_every_step_was_read_nothing_changes() -> None:
    found = shared([1.0, 2.0], running_seconds=[0.5, 1.5], traces=[1, 7], ops_run=[3, 4])
    assert {name: each.tolist() for name, each in found.items()} == {
        "seconds": [1, 2], "sampled": [0, 0], "running_seconds": [0.5, 1.5], "traces": [1, 7],
        "ops_run": [3, 4],
    }  # fmt: skip


def test_seconds_at_a_place_go_by_how_long_each_step_took() -> None:
    found = shared([1.0, 1.0, 1.25, 0.75], running_seconds=[0.9, NAN, NAN, 2.7])
    assert found["running_seconds"] == pytest.approx([0.9, 0.9, 1.125, 0.675])


def test_what_is_counted_anew_goes_evenly_and_processor_time_too() -> None:
    found = shared([1.0, 1.0, 1.0], cpu_seconds=[1.0, NAN, 4.0], ops_run=[3, NAN, 6])
    assert found["ops_run"].tolist() == [3, 3, 3]
    assert found["cpu_seconds"].tolist() == [1, 2, 2]


def test_a_count_that_goes_on_by_one_a_step_does_so_exactly() -> None:
    """Else a trace at every step is not seen: seven at each seventh step are another story."""
    traces = [1.0]
    for end in range(8, 72, 7):
        traces += [NAN] * 6 + [float(end)]
    found = shared([1.0] * len(traces), traces=traces)
    assert np.diff(found["traces"]).tolist() == [1.0] * (len(traces) - 1)


def test_a_step_that_stands_out_has_all_that_the_others_have_not() -> None:
    found = shared(
        [1.0, 1.0, 1.0, 1.0, 10.0],
        gc_seconds=[0.0, NAN, 0.0, NAN, 9.0],
        running_seconds=[0.5, NAN, 1.0, NAN, 1.0],
        traces=[5, NAN, 5, NAN, 6],
    )
    assert found["gc_seconds"].tolist() == [0, 0, 0, 0, 9]
    assert found["running_seconds"].tolist() == [0.5] * 5
    assert found["traces"].tolist() == [5, 5, 5, 5, 6]


def test_a_count_that_goes_on_all_the_time_goes_on_in_a_block_that_ends_in_a_long_step() -> None:
    found = shared([1.0, 1.0, 1.0, 1.0, 10.0], traces=[1, NAN, 3, NAN, 5])
    assert found["traces"].tolist() == [1, 2, 3, 4, 5]


def test_two_steps_that_stand_out_one_block_after_the_other_are_no_measure_of_each_other() -> None:
    found = shared([1.0, 1.0, 9.0, 1.0, 9.0], gc_seconds=[0.0, NAN, 8.0, NAN, 8.0])
    assert found["gc_seconds"].tolist() == [0, 0, 8, 0, 8]


def test_steps_whose_reading_was_lost_are_like_their_neighbours() -> None:
    found = shared(
        [1.0, 1.0, 1.0, 0.5, 1.0, 1.0, 2.0], breaks=[4],
        running_seconds=[0.5, 0.5, NAN, NAN, NAN, 1.0, NAN], traces=[1, 2, NAN, NAN, NAN, 6, NAN],
    )  # fmt: skip
    assert found["running_seconds"].tolist() == [0.5, 0.5, 0.5, 0.25, 0.5, 0.5, 1.0]
    assert found["traces"].tolist() == [1, 2, 3, 4, 5, 6, 6]


def test_what_is_asked_now_and_then_keeps_its_gaps_and_what_was_given_up_stays_so() -> None:
    found = shared(
        [1.0] * 3 + [9.0], running_seconds=[1.0, NAN, NAN, 2.0], ops_run=[NAN] * 4,
        canary_seconds=[NAN, NAN, NAN, 1e-5], gc_seconds=[NAN] * 4,
    )  # fmt: skip
    assert np.isnan(found["canary_seconds"]).tolist() == [True, True, True, False]
    assert np.isnan(found["gc_seconds"]).all() and np.isnan(found["ops_run"]).all()


def test_large_counts_in_a_step_that_stands_out_are_its_own() -> None:
    found = shared([1.0, 1.0, 9.0], ops_run=[0, NAN, 1e12])
    assert found["ops_run"].tolist() == [0, 0, 1e12]


def test_a_step_that_stands_out_by_itself_is_no_example_for_others() -> None:
    found = shared(
        [1.0, 9.0, 1.0, 1.0, 9.0],
        gc_seconds=[0.0, 8.0, NAN, NAN, 8.0],
        traces=[3, 4, NAN, NAN, 5],
    )
    assert found["gc_seconds"].tolist() == [0, 8, 0, 0, 8]
    assert found["traces"].tolist() == [3, 4, 4, 4, 5]


def test_the_long_first_step_of_an_epoch_is_no_example_for_the_lost_ones_before_it() -> None:
    found = shared(
        [1.0, 1.0, 1.0, 1.0, 9.0, 1.0], breaks=[4],
        gc_seconds=[0.0, NAN, 0.0, NAN, 8.0, 0.0], traces=[1, NAN, 3, NAN, 9, 10],
    )  # fmt: skip
    assert found["gc_seconds"].tolist() == [0, 0, 0, 0, 8, 0]
    assert found["traces"].tolist() == [1, 2, 3, 4, 9, 10]


def test_no_step_that_was_not_read_is_marked() -> None:
    seconds, running = [1.0] * 4, [0.5, NAN, 0.5, NAN]
    found = shared_out(
        [column for column in COLUMNS if column.name in ("seconds", "sampled", "running_seconds")],
        {"seconds": seconds, "sampled": [0, NAN, 1, NAN], "running_seconds": running},
        breaks=[2],
        anew=(),
        seldom=(),
    )
    assert found["sampled"].tolist() == [0, 0, 1, 0]
    assert found["running_seconds"].tolist() == [0.5] * 4


@given(
    steps=st.lists(
        st.tuples(st.floats(1e-4, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.booleans()),
        min_size=2,
        max_size=60,
    )
)
def test_nothing_is_lost_and_no_step_has_more_at_its_places_than_it_took(
    steps: list[tuple[float, float, float, bool]],
) -> None:
    """Of steps with two places, read together as chance has it; the last one always."""
    seconds = np.array([each[0] for each in steps])
    first, second = (seconds * [each[at] / 2 for each in steps] for at in (1, 2))
    read = np.array([each[3] for each in steps[:-1]] + [True])
    kept: dict[str, list[float]] = {"gc_seconds": [], "running_seconds": []}
    start = 0
    for end in np.flatnonzero(read) + 1:
        for name, place in (("gc_seconds", first), ("running_seconds", second)):
            kept[name] += [NAN] * (end - start - 1) + [float(place[start:end].sum())]
        start = end
    found = shared(seconds.tolist(), **kept)
    assert found["gc_seconds"].sum() == pytest.approx(first.sum())
    assert found["running_seconds"].sum() == pytest.approx(second.sum())
    together = found["gc_seconds"] + found["running_seconds"]
    assert (np.minimum(found["gc_seconds"], found["running_seconds"]) >= 0).all()
    assert (together <= seconds + 1e-9).all()
