"""A run made of step times alone, for what is told, drawn or decided of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.record import Column, Run, State, Steps

COLUMNS = (
    Column("start_seconds", "start of the step", "s", "clock"),
    Column("seconds", "time of the step", "s", "clock"),
)


def made_run(seconds: Sequence[float] | NDArray[np.float64], **changes: Any) -> Run:
    """Return a run whose steps follow each other at once; it came to its end.

    Args:
        seconds: How long each step takes.
        changes: What is not so, or there as well, by the name of the part of a run.
    """
    times = np.asarray(seconds, float)
    steps = Steps({"start_seconds": np.cumsum(times) - times, "seconds": times})
    parts = {"cause": "own_loop", "title": "A loop", "state": State("done")}
    return Run(**{**parts, "columns": COLUMNS, "steps": steps, **changes})
