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

# Counters of TensorFlow's work in a step, and the places that both of its ways of running pass: a
# run in which one of them was not measured tells nothing.
NEEDED = ("ops_run", "running_ops_seconds", "function_run_seconds", "session_run_seconds")
WORK = ("session_runs", "elements", "elements_picked", "bytes_in", "bytes_out", "gradient_ops")
# Places of a loop that never touches TensorFlow. (Who waits for data may wait for a plain list.) An
# op that worked is counted; one that only finds that there are no more data takes time as well.
NOT_TENSORFLOW = frozenset({
    "garbage_collection_seconds", "sleeping_seconds", "thread_waiting_seconds", "printing_seconds",
    "drawing_seconds", "data_waiting_seconds", "running_ops_seconds",
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
    run = replace(run, steps=run.steps[len(run.steps) // 2 :])
    places = [column.name for column in run.column_of_kind("place")]
    working = [NEEDED[0], *WORK, *(name for name in places if name not in NOT_TENSORFLOW)]
    if any(_most(run, name) > 0 for name in working):
        return False
    return not _others_worked(unsampled(run))


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


def _values(run: Run, name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray(run.steps.column(name), np.float64)
