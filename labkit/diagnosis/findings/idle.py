"""Idle: whether TensorFlow did no work in the second half of a run, so that nothing was tested.

Such a loop has lost its data, as by an empty glob, or has come to their end: then the few steps
that worked look like a warm-up. It is as steady as can be, and nobody may call it healthy: what was
not measured is never 0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from labkit.diagnosis.observed import unsampled
from labkit.record import Run
from labkit.stats.series import Numbers

# Counters of TensorFlow's work in a step, and the places that both of its ways of running pass: a
# run in which one of them was not measured tells nothing.
NEEDED = ("ops_run", "running_ops_seconds", "function_run_seconds", "session_run_seconds")
OPS, ITERATORS = "ops_run", "iterators"
# One that is made over a dataset runs as many ops, and hands over nothing yet: a loop over an empty
# dataset makes one in each epoch.
ITERATOR_OPS = 2
WORK = ("session_runs", "elements", "elements_picked", "bytes_in", "bytes_out", "gradient_ops")
# Places of a loop that never touches TensorFlow. (Who waits for data may wait for a plain list.) An
# op that worked is counted; one that only finds that there are no more data takes time as well.
NOT_TENSORFLOW = frozenset({
    "garbage_collection_seconds", "sleeping_seconds", "thread_waiting_seconds", "printing_seconds",
    "drawing_seconds", "data_waiting_seconds", "input_building_seconds", "running_ops_seconds",
})  # fmt: skip
# Only the thread of the steps is watched. Where others of the process worked for more than this
# share of the time, TensorFlow may have worked there; a thread that looks after the process, as a
# monitor does, works less.
OTHER_THREADS_SHARE = 0.05
# And for longer than this: two clocks of a step are not read at once, and of steps that do nothing
# that is more than the share. (Measured: 0.08 ms in a hundred steps, beside two endless loops.)
OTHER_THREADS_SECONDS = 1e-3
PROCESS, THREAD = "cpu_seconds", "thread_seconds"


def is_idle(run: Run) -> bool:
    """Tell whether TensorFlow did no work in the second half of the steps, as far as measured.

    Args:
        run: With its sampled steps; one of a lab that has fewer probes is never idle.
    """
    if not len(run.steps) or not all(_is_measured(run, name) for name in NEEDED):
        return False
    begin = len(run.steps) // 2
    made = _iterators_made(run)[begin:]
    run = replace(run, steps=run.steps[begin:])
    places = [column.name for column in run.column_of_kind("place")]
    working = [*WORK, *(name for name in places if name not in NOT_TENSORFLOW)]
    ops = _values(run, OPS) - ITERATOR_OPS * made
    if ops.max() > 0 or any(_most(run, name) > 0 for name in working):
        return False
    # A dataset that hands over nothing has worked for nothing, on threads of its own.
    return bool(made.all()) or not _others_worked(unsampled(run))


def _iterators_made(run: Run) -> Numbers:
    """Return how many iterators each step made; 0 where that was not measured."""
    if ITERATORS not in run.steps.names:
        return np.zeros(len(run.steps))
    return np.nan_to_num(np.diff(_values(run, ITERATORS), prepend=0.0))


def _is_measured(run: Run, name: str) -> bool:
    return name in run.steps.names and bool(np.isfinite(_values(run, name)).all())


def _most(run: Run, name: str) -> float:
    return float(np.nan_to_num(_values(run, name)).max()) if name in run.steps.names else 0.0


def _others_worked(judged: Run) -> bool:
    if not {PROCESS, THREAD} <= set(judged.steps.names):
        return False
    others = np.nansum(_values(judged, PROCESS) - _values(judged, THREAD))
    share = OTHER_THREADS_SHARE * np.sum(_values(judged, "seconds"))
    return bool(others > max(share, OTHER_THREADS_SECONDS))


def _values(run: Run, name: str) -> Numbers:
    return np.asarray(run.steps.column(name), np.float64)
