"""The canary: a small piece of work that is always the same, timed now and then.

What makes the canary slower is the machine: a lower clock, a neighbour on the same core, time the
host took. It is run beside the loop, outside the step's clock, for about 1 % of the time. With it
goes the processor time that others used, because a canary this short is seldom interrupted and so
blind to a machine that is merely shared.
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import psutil

from labkit.measure.clock.probe import Row
from labkit.record import Column

SHARE_OF_TIME = 0.01
TURNS = 3
# Of the canary's time. Where other threads of the loop's own compute beside it, such as those that
# prepare its data, they slow the canary, and that is no machine's doing: the growth of a pipeline
# was taken away so. TensorFlow's pools use up to 0.16 just after a step, in one step of six.
MOST_OWN = 0.2
_NOT_MEASURED = array("d", [math.nan] * 3)


@dataclass(frozen=True)
class Used:
    """Processor seconds so far.

    Args:
        others: What others used, the host of a virtual machine included ("steal").
        idle: What nobody used, waiting for a disk included.
    """

    others: float
    idle: float


class CanaryProbe:
    """Times the canary after a step, as often as 1 % of the time allows.

    Args:
        clock: Returns seconds; the step's clock.
        work: A fixed piece of work; by default `canary`'s.
        used: Returns what the processors of this machine have done so far.
        own: Returns how many processor seconds other threads of this process have used so far.
    """

    lasting = False
    columns = (
        Column("canary_seconds", "time of the canary", "s", "machine"),
        Column("others_seconds", "processor time of other programs so far", "s", "machine"),
        Column("idle_seconds", "idle processor time so far", "s", "machine"),
    )

    def __init__(
        self,
        clock: Callable[[], float],
        work: Callable[[], object] | None = None,
        used: Callable[[], Used] | None = None,
        own: Callable[[], float] | None = None,
    ) -> None:
        self._clock = clock
        self._work = work or canary()
        self._used = used or processors_used
        self._own = own or other_threads_seconds
        self.due = -math.inf
        self._before = self._used()

    def read(self, row: Row, place: int) -> None:
        began = self._clock()
        if began < self.due:
            row[place : place + 3] = _NOT_MEASURED
            return
        # The first turn fetches code and numbers back into the caches, so that a loop which uses
        # much memory does not pass for a slow machine. Of the others the quickest counts.
        self._work()
        shortest = math.inf
        own, beginning = self._own(), self._clock()
        for _ in range(TURNS):
            before = self._clock()
            self._work()
            shortest = min(shortest, self._clock() - before)
        alone = self._own() - own <= MOST_OWN * (self._clock() - beginning)
        try:
            used = self._used()
        except OSError:  # no descriptor is left, and that is no reason to end the loop
            row[place : place + 3] = _NOT_MEASURED
        else:
            row[place] = shortest if alone else math.nan
            row[place + 1] = used.others - self._before.others
            row[place + 2] = used.idle - self._before.idle
        ended = self._clock()
        # One that was interrupted must not keep it silent for long.
        cost = min(ended - began, 10 * (TURNS + 1) * shortest)
        self.due = ended + cost * (1 / SHARE_OF_TIME - 1)


def canary() -> Callable[[], object]:
    """Return the work: some 10 microseconds of plain Python and of arithmetic in the caches."""
    matrix = np.linspace(0.0, 1.0, 1600).reshape(40, 40)
    product = np.empty_like(matrix)
    turns = range(200)

    def work() -> float:
        number = 0.5
        for _ in turns:
            number = number * 0.999 + 0.001
        np.dot(matrix, matrix, out=product)
        np.dot(matrix, matrix, out=product)
        return number

    return work


def other_threads_seconds() -> float:
    """Return how many processor seconds this process has used in all threads but this one."""
    return time.process_time() - time.thread_time()


def processors_used() -> Used:
    """Return what the processors of this machine have done since it was started."""
    times = psutil.cpu_times()
    idle = times.idle + getattr(times, "iowait", 0.0)
    # Time of guests is contained in user time already.
    guests = getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0)
    return Used(sum(times) - guests - idle - time.process_time(), idle)
