"""Waiting: the time the step's own thread sleeps, or waits for another thread of the loop.

A loader of the reader's own hands its batches over in a queue; a loop that is kept to a rate
sleeps. The names are public ones of Python's standard library, declared here and nowhere else. Not
seen is what holds a function by a name of its own, as after ``from time import sleep`` in a file
that was imported before.
"""

from __future__ import annotations

from labkit.measure.choke import PrivateName
from labkit.measure.counting import CountingProbe
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places

SLEEPING = ("sleeping", "sleeping")
THREADS = ("thread_waiting", "waiting for another thread")
CHOKE_POINTS = (
    PrivateName("time", "", "sleep", *SLEEPING),
    PrivateName("threading", "Thread", "join", *THREADS),
    PrivateName("threading", "Event", "wait", *THREADS),
)
LATE = (
    PrivateName("queue", "Queue", "get", *THREADS),
    PrivateName("queue", "Queue", "put", *THREADS),
    PrivateName("queue", "Queue", "join", *THREADS),
    PrivateName("multiprocessing.queues", "Queue", "get", *THREADS),
    PrivateName("multiprocessing.connection", "_ConnectionBase", "recv", *THREADS),
    PrivateName("concurrent.futures._base", "Future", "result", *THREADS),
)


class WaitingProbe(CountingProbe):
    """Books sleeping and waiting where no other place is open: what a save waits for is the save's.

    Args:
        places: The stopwatch.
    """

    def __init__(self, places: Places) -> None:
        super().__init__(places)
        self.points.hook(CHOKE_POINTS, alone=True)
        self.late.hook(LATE, alone=True)


def probe(hooks: Hooks) -> WaitingProbe:
    """Return the probe for a worker; costs next to nothing where nothing waits."""
    return WaitingProbe(hooks.places)
