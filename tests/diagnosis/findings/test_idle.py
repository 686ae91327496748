"""Whether TensorFlow did no work in the second half of a run, and of which nobody may say so.

Tier: make quick.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from labkit.diagnosis import examine
from labkit.diagnosis.findings.idle import NEEDED, NOT_TENSORFLOW
from labkit.record import Steps
from labkit.show.report.diagnosis_words import HEALTHY, IDLE
from labkit.show.report.headline import headline
from labkit.show.report.terminal import diagnosis_lines
from tests.diagnosis.watched import STEPS, watched


def run_of(places=None, **more):
    """Return a run of a loop that sleeps, whose other places and counters are zero."""
    columns = [name for name in NEEDED if name.endswith("_seconds")]
    zero = dict.fromkeys([*columns, *NOT_TENSORFLOW], 0.0)
    counters = {"ops_run": 0.0, "session_runs": 0.0, "elements": 0.0} | more.pop("counters", {})
    return watched(zero | {"sleeping_seconds": 1e-3} | (places or {}), counters=counters, **more)


def once(value):
    """Return what is zero in all steps but one."""
    return np.where(np.arange(STEPS) == STEPS - 7, value, 0.0)


def with_columns(run, **columns):
    data = {name: run.steps.column(name) for name in run.steps.names}
    return replace(run, steps=Steps(data | columns))


@pytest.mark.parametrize("place", sorted(NOT_TENSORFLOW))
def test_where_tensorflow_did_nothing_it_is_said_and_nothing_is_called_healthy(place):
    """Recorded: a loop over an empty glob, which only slept, was called healthy."""
    said = examine(run_of({place: 1e-3}))
    told = "\n".join(diagnosis_lines(said))
    assert said.idle and IDLE in told and HEALTHY not in told
    assert IDLE in headline(said, "made", 2) and "healthy" not in headline(said, "made", 2)


@pytest.mark.parametrize(
    "what",
    [
        {"counters": {"ops_run": once(1.0)}},
        {"counters": {"session_runs": once(1.0)}},
        {"counters": {"elements": once(1.0)}},
        {"places": {"session_run_seconds": once(1e-5)}},
        {"places": {"tracing_seconds": once(1e-5)}},
        {"places": {"a_place_of_tomorrow_seconds": once(1e-5)}},
    ],
)
def test_where_it_did_anything_in_any_step_of_the_second_half_nothing_is_said(what):
    said = examine(run_of(what.pop("places", None), **what))
    assert not said.idle and IDLE not in "\n".join(diagnosis_lines(said))


def test_a_loop_whose_data_came_to_their_end_early_was_not_tested():
    """Seen: twenty batches that each leaked and retraced, 280 steps without any, and "healthy"."""
    working = (np.arange(STEPS) < 20).astype(float)
    said = examine(run_of({"function_run_seconds": 1e-3 * working}, counters={"ops_run": working}))
    assert said.idle


def test_an_op_that_only_finds_no_more_data_is_no_work():
    assert examine(run_of({"running_ops_seconds": 1e-5})).idle


@pytest.mark.parametrize("name", NEEDED)
def test_what_was_not_measured_is_no_proof_that_there_was_none(name):
    assert not examine(with_columns(run_of(), **{name: np.full(STEPS, np.nan)})).idle
    rest = {each: run_of().steps.column(each) for each in run_of().steps.names if each != name}
    columns = tuple(column for column in run_of().columns if column.name != name)
    assert not examine(replace(run_of(), columns=columns, steps=Steps(rest))).idle


# The third is a thread that looks after the process, for 1 % of the time.
@pytest.mark.parametrize(
    ("process", "idle"), [(1e-4, True), (9.9e-5, True), (1.2e-4, True), (3e-4, False)]
)
def test_where_other_threads_worked_tensorflow_may_have_worked_there(process, idle):
    run = with_columns(
        run_of(), cpu_seconds=np.full(STEPS, process), thread_seconds=np.full(STEPS, 1e-4)
    )
    assert examine(run).idle is idle


def test_of_steps_that_do_nothing_two_clocks_read_one_after_the_other_are_no_work():
    """Seen: a loop over an empty glob was healthy in 20 tries of 35."""
    run = with_columns(
        run_of({"sleeping_seconds": 0.0}, rest=2e-7),
        cpu_seconds=np.full(STEPS, 4.3e-6), thread_seconds=np.full(STEPS, 4e-6),
    )  # fmt: skip
    assert examine(run).idle
