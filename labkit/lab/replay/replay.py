"""Replay: recorded runs in the same panel, under a banner that says where and when they were made.

For a room whose network or graphics card is not there today, and in place of runs that must not be
made here because others could reach them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from labkit.bench.isolation.isolation import ExposedError
from labkit.cause import Cause
from labkit.lab.compare import MOST_RUNS, Comparison
from labkit.lab.kernel import bench, view_of
from labkit.lab.player import LabPlayer
from labkit.lab.replay.recorded_runs import RecordedRuns, made_where
from labkit.lab.replay.recordings import printing_skipped, shipped
from labkit.record import Run


def replay(
    *sources: Run | str | os.PathLike[str], speed: float = 1.0, presenter: bool = False
) -> Any:
    """Show recorded runs of one cause in the panel; press Run to play one.

    Args:
        sources: Runs, files that labkit saved, folders of them, or the name of a lab, e.g.
            ``"graph_growth"``, for the recordings that come with labkit.
        speed: How many times faster than they were recorded.
        presenter: Large type and keys, for a projector.

    A file in a folder that is not a saved run is skipped, and a line says so.

    Raises:
        LabkitError: If there is nothing to play, or a file that was named is not a saved run.
    """
    recorded = RecordedRuns(printing_skipped(*sources), speed)
    view = view_of(LabPlayer(recorded.cause, recorded=recorded), presenter=presenter)
    return view if view is not None else Comparison(recorded.runs[:MOST_RUNS])


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
