"""Sampling: when the expensive looks are taken, and which steps they touched.

To count all live objects takes as long as many steps, and a step whose calls are counted takes
twice as long. So both are done now and then, by their own cost, and every step they touched is
marked: it says nothing about how long a step takes.
"""

from __future__ import annotations

import math
import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from labkit.measure.clock.probe import Row
from labkit.record import Column

# All looks together take about a tenth of the time; what is left must show every shape of curve.
SHARE_OF_TIME = 0.04
EAGER_SHARE = 0.25
FIRST_STEP = 2
SAMPLED = "sampled"
# The mark of what a look before it has touched; of what is looked at itself it is 1.
CACHES = 0.5


class Look(Protocol):
    """One expensive look at the loop."""

    def start(self) -> None:
        """Begin; called just before a step."""

    def stop(self, steps: int) -> Mapping[str, float]:
        """End, and return numbers by name.

        Args:
            steps: How many steps were done since the start; 0 where it looks between two steps.
        """


@dataclass
class Looked:
    """A look, and when it is taken again.

    Args:
        look: What is done.
        steps: Around how many steps; 0 for between two steps.
        least_seconds: How long it lasts at least, if it is around steps.
        pause_seconds: How long to wait for the next, at least.
        share: How much of the time it may take at most.
        eager: How often it is taken with the eager share before it keeps to its own: what it finds
            says something only when there are enough of it.
        eager_share: That share.
        wait_seconds: How long after the loop was built it is taken first.
    """

    look: Look
    steps: int = 0
    least_seconds: float = 0.0
    pause_seconds: float = 0.0
    share: float = SHARE_OF_TIME
    eager: int = 0
    eager_share: float = EAGER_SHARE
    wait_seconds: float = 0.0
    due: float = field(default=-math.inf)


class Sampling:
    """Takes looks when they are due, one at a time; itself the probe that marks the steps.

    Args:
        clock: Returns seconds; the step's clock.
        say: Takes what a look returned: the number of steps done, and numbers by name.

    Of all probes this one comes first: what the others do after a step is no part of a look.

    Attributes:
        looks: What is looked at, in order of importance.
        left_alone: Tells whether no look is to begin at what is recorded next.
    """

    columns = (Column(SAMPLED, "looked at closely", "", "machine"),)

    def __init__(
        self,
        clock: Callable[[], float],
        say: Callable[[int, Mapping[str, float]], None],
    ) -> None:
        self._clock = clock
        self.looks: list[Looked] = []
        self.left_alone: Callable[[], bool] = lambda: False
        self._say = say
        self._done = 0
        self._running: Looked | None = None
        self._began = self._attached = 0.0
        self._thin_after = math.inf
        self._eager: list[int] = []
        self._around = 0
        self._mark = 0.0
        if hasattr(os, "register_at_fork"):
            # What is forked within a look would be watched for its life.
            os.register_at_fork(after_in_child=partial(_close, weakref.ref(self)))

    def attach(self, looks: Sequence[Looked], *, thin_after_seconds: float = math.inf) -> None:
        """Take the looks once the loop is built.

        Args:
            looks: In order of importance.
            thin_after_seconds: From then on they are taken ever less often: after twice the time
                with pauses twice as long, so that a run of hours is hardly looked at.
        """
        self.looks = list(looks)
        self._eager = [looked.eager for looked in looks]
        self._attached, self._thin_after = self._clock(), thin_after_seconds
        for looked in self.looks:
            looked.due = self._attached + looked.wait_seconds

    def begin(self) -> None:
        """Take the looks that are due, just before a step."""
        if self.left_alone():
            if self._running is not None:
                self._end(self._running)
            return
        if self._running is not None or self._done < FIRST_STEP:
            return
        now = self._clock()
        for looked in self.looks:
            if now < looked.due:
                continue
            self._began = self._clock()
            looked.look.start()
            if not looked.steps:
                # Whatever it does to the caches, the step that follows pays for it.
                self._mark = CACHES
                self._finish(looked)
                now = self._clock()
                continue
            self._mark = 1.0
            self._running, self._around = looked, 0
            return

    def read(self, row: Row, place: int) -> None:
        row[place] = self._mark
        self._done += 1
        looked = self._running
        if looked is None:
            self._mark = 0.0
            return
        self._around += 1
        if self._around < looked.steps or self._clock() - self._began < looked.least_seconds:
            self._mark = 1.0
            return
        self._end(looked)

    def _end(self, looked: Looked) -> None:
        self._running = None
        self._mark = 0.0
        self._finish(looked)

    def _finish(self, looked: Looked) -> None:
        self._say(self._done, looked.look.stop(self._around if looked.steps else 0))
        ended = self._clock()
        share = looked.eager_share if looked.eager else looked.share
        looked.eager = max(0, looked.eager - 1)
        cost = ended - self._began
        pause = max(looked.pause_seconds, cost * (1 / share - 1))
        looked.due = ended + pause * max(1.0, (ended - self._attached) / self._thin_after)

    def begin_anew(self) -> None:
        """Take the looks as at first: another loop begins, of which as many are needed."""
        self._attached = self._clock()
        for looked, eager in zip(self.looks, self._eager, strict=True):
            looked.eager, looked.due = eager, self._attached + looked.wait_seconds

    def close(self) -> None:
        """End a look that is still going on."""
        if self._running is not None:
            self._running.look.stop(max(1, self._around))
            self._running = None


def _close(sampling: weakref.ref[Sampling]) -> None:
    alive = sampling()
    if alive is not None:
        alive.close()
