"""A run without the steps that were looked at closely, which say nothing of how long one takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from labkit.record import Run, Steps

SAMPLED = "sampled"


def unsampled(run: Run) -> Run:
    """Return the run without its sampled steps; events and evidence keep their place.

    Args:
        run: Any run; one without a column ``sampled`` is returned as it is.
    """
    if SAMPLED not in run.steps.names:
        return run
    kept = _unsampled_steps(run)
    columns = {name: np.asarray(run.steps.column(name))[kept] for name in run.steps.names}

    def place(step: int) -> int:
        return int(np.searchsorted(kept, step))

    return replace(
        run,
        steps=Steps(columns),
        events=tuple(replace(event, step=place(event.step)) for event in run.events),
        evidence={
            name: tuple((place(step), value) for step, value in pairs)
            for name, pairs in run.evidence.items()
        },
    )


def recorded_steps(run: Run, steps: int) -> int:
    """Return how many steps of a run there are up to its so-many-eth unsampled one.

    Args:
        run: With its sampled steps.
        steps: From 1 to the number of its unsampled ones.
    """
    return int(_unsampled_steps(run)[steps - 1]) + 1 if SAMPLED in run.steps.names else steps


def _unsampled_steps(run: Run) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    return np.flatnonzero(np.asarray(run.steps.column(SAMPLED)) == 0)
