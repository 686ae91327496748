"""Sessions: how many were opened, and the time it takes to open and to close them.

The choke points are private names of TensorFlow 2.19-2.21 (``python/client/session.py``), declared
in `CHOKE_POINTS` and nowhere else. What a session runs is booked by the graph probe.
"""

from __future__ import annotations

from labkit.measure.choke import PrivateName
from labkit.measure.counting import CountingProbe
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.record import Column

SESSION = "tensorflow.python.client.session"
CHOKE_POINTS = (
    PrivateName(SESSION, "BaseSession", "__init__", "session_opening", "opening a session"),
    PrivateName(SESSION, "BaseSession", "close", "session_closing", "closing a session"),
    # The copy of the graph inside TensorFlow goes only when the Python object goes.
    PrivateName(SESSION, "BaseSession", "__del__", "session_closing", "closing a session"),
)


class SessionsProbe(CountingProbe):
    """Counts opened sessions; books the time to open and to close them.

    Args:
        places: The stopwatch.
    """

    columns = (Column("sessions", "sessions opened", "sessions", "counter"),)

    def __init__(self, places: Places) -> None:
        super().__init__(places)
        self.points.hook(CHOKE_POINTS[:1], after=self.count)
        self.points.hook(CHOKE_POINTS[1:])


def probe(hooks: Hooks) -> SessionsProbe:
    """Return the probe; the bench calls it for a cause that asks for ``"sessions"``."""
    return SessionsProbe(hooks.places)
