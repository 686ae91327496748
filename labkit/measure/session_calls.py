"""Calls of a session: what Python does around a run, such as making arrays of what is fed.

The choke points are names of TensorFlow 2.19-2.21 (``python/client/session.py``), declared in
`CHOKE_POINTS` and nowhere else; one that is missing leaves its place unmeasured.
"""

from __future__ import annotations

from labkit.measure.choke import PrivateName
from labkit.measure.counting import CountingProbe
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.record import Column

# What is left of a call once the graph probe's places have taken theirs.
CHOKE_POINTS = tuple(
    PrivateName("tensorflow.python.client.session", "BaseSession", name,
                "session_feeding", "feeding and fetching")
    for name in ("run", "partial_run")
)  # fmt: skip


class SessionCallsProbe(CountingProbe):
    """Counts the runs of sessions, and books feeding and fetching.

    Args:
        places: The stopwatch.

    A run within another place, such as the one that saves a checkpoint, is that place's own work.
    """

    columns = (Column("session_runs", "session runs in the step", "runs", "counter"),)
    anew = ("session_runs",)

    def __init__(self, places: Places) -> None:
        super().__init__(places)
        self.points.hook(CHOKE_POINTS, after=self.count, alone=True, around=True)


def probe(hooks: Hooks) -> SessionCallsProbe:
    """Return the probe for a worker; costs 0.5 us a run."""
    return SessionCallsProbe(hooks.places)
