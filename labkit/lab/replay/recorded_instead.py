"""Recordings in place of runs that must not be made here, because others could reach them."""

from __future__ import annotations

from collections.abc import Mapping

from labkit.bench.isolation.isolation import ExposedError
from labkit.cause import Cause
from labkit.lab.kernel import bench
from labkit.lab.replay.recorded_runs import made_where
from labkit.lab.replay.recordings import shipped
from labkit.record import Run


def refusal(cause: Cause, toggles: Mapping[str, object], exposed: bool) -> ExposedError | None:
    """Return why a run must not be made here; None where it may.

    Args:
        cause: What would be run.
        toggles: What differs from its defaults.
        exposed: Whether somebody insists.
    """
    workers = cause.workers(cause.toggle_values(toggles))
    return None if exposed or workers < 2 else bench().refused()


def recorded_instead(
    refused: ExposedError, cause: Cause, toggles: Mapping[str, object], sizes: Mapping[str, object]
) -> Run:
    """Return the recording of such a run that comes with labkit, and print why.

    Args:
        refused: Why it must not be made here.
        cause: What would be run.
        toggles: What differs from its defaults.
        sizes: What differs from its default sizes.

    Raises:
        ExposedError: The refusal, if nothing like it was recorded.
    """
    values = cause.toggle_values(toggles)
    for run in shipped(cause.slug):
        alike = all(run.settings.get(name) == value for name, value in sizes.items())
        if alike and dict(run.toggles) == values:
            print(f"{refused} This is a recording: {made_where(run)}.")
            return run
    raise refused
