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
    kept = np.flatnonzero(np.asarray(run.steps.column(SAMPLED)) == 0)
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
