"""Calls of a session: what Python does around a run, such as making arrays of what is fed.

The choke points are names of TensorFlow 2.19-2.21 (``python/client/session.py``), declared in
`CHOKE_POINTS` and nowhere else; one that is missing leaves its place unmeasured.
"""

from __future__ import annotations

from labkit.measure.choke import ChokePoints, PrivateName
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.measure.tally import Tallied
from labkit.record import Column

# What is left of a call once the graph probe's places have taken theirs.
CHOKE_POINTS = tuple(
    PrivateName("tensorflow.python.client.session", "BaseSession", name,
                "session_feeding", "feeding and fetching")
    for name in ("run", "partial_run")
)  # fmt: skip


class SessionCallsProbe(Tallied):
    """Counts the runs of sessions, and books feeding and fetching.

    Args:
        places: The stopwatch.

    A run within another place, such as the one that saves a checkpoint, is that place's own work.
    """

    columns = (Column("session_runs", "session runs in the step", "runs", "counter"),)
    anew = ("session_runs",)

    def __init__(self, places: Places) -> None:
        super().__init__(places.board)
        self._points = ChokePoints(places)
        self._points.hook(CHOKE_POINTS, after=self._count, alone=True, around=True)

    @property
    def missing(self) -> list[str]:
        """The names this TensorFlow does not have."""
        return self._points.missing

    def _count(self, arguments: tuple[object, ...], result: object) -> None:
        self.values[self.first] += 1

    def close(self) -> None:
        self._points.close()


def probe(hooks: Hooks) -> SessionCallsProbe:
    """Return the probe for a worker; costs 0.5 us a run."""
    return SessionCallsProbe(hooks.places)
