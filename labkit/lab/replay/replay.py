"""Replay: recorded runs in the same panel, under a banner that says where and when they were made.

For a room whose network or graphics card is not there today.
"""

from __future__ import annotations

import os
from typing import Any

from labkit.lab.compare import MOST_RUNS, Comparison
from labkit.lab.kernel import view_of
from labkit.lab.player import LabPlayer
from labkit.lab.replay.recorded_runs import RecordedRuns
from labkit.lab.replay.recordings import recordings
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

    Raises:
        LabkitError: If there is nothing to play, or a file is not a saved run.
    """
    recorded = RecordedRuns(recordings(*sources), speed)
    view = view_of(LabPlayer(recorded.cause, recorded=recorded), presenter=presenter)
    return view if view is not None else Comparison(recorded.runs[:MOST_RUNS])
