"""A fault that costs more from step to step, by the processor time that it really takes."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from statistics import median

from labkit.faults import Fault

TRIALS = 15
# Sizes that a fault is tried at: by half more each time.
_MORE_UNITS = (16, *(round(8 * 1.5**turn) for turn in range(25)))


class Steered:
    """A fault that is enlarged each step so that acting it out keeps to a line.

    A price taken once is not enough to go by: what a unit takes depends on how many there are, and
    was off by up to a half on a machine with others on it.
    """

    def __init__(self, kind: type[Fault], more: float, steps: int) -> None:
        self._rate = max(0.05, _units(kind, more) / steps - kind.own)
        self._fault = kind()
        self._more_each_step = more / steps
        self._done = 0
        self._owed = 0.0
        self._first = processor_seconds(_growing(self._fault))
        self._taken: deque[float] = deque([self._first], maxlen=9)

    def step(self) -> None:
        """Enlarge the fault, more if it is behind and less if it is ahead, and act it out."""
        line = self._first + self._more_each_step * self._done
        self._owed += self._rate * (3.0 if median(self._taken) < line else 0.5)
        units = int(self._owed)
        self._owed -= units
        if units:
            self._fault.enlarge(units)
        began = time.process_time()
        self._fault.act()
        self._taken.append(time.process_time() - began)
        self._done += 1


def _units(kind: type[Fault], wanted: float) -> float:
    """Return how large a fault must be for acting it out to take so many seconds more.

    Not all faults cost in proportion to their size, so the size wanted is walked up to.
    """
    fault = kind()
    grown = _growing(fault)
    constant = processor_seconds(grown)
    size, more = 0, 0.0
    for units in _MORE_UNITS:
        fault.enlarge(units)
        before = size, more
        size, more = size + units, processor_seconds(grown) - constant
        if more >= wanted:
            break
    between = (wanted - before[1]) / max(more - before[1], 1e-9)
    return before[0] + min(1.0, max(0.0, between)) * (size - before[0])


def _growing(fault: Fault) -> Callable[[], None]:
    """Return an act before which the fault is enlarged by one, as in the loop.

    TensorFlow prepares a kernel for each number of inputs that it has not seen, and that is most of
    what a growing stack takes.
    """

    def grown() -> None:
        fault.enlarge(1)
        fault.act()

    return grown


def processor_seconds(act: Callable[[], object]) -> float:
    """Return what a call takes, in processor time: others on the machine are not in it."""
    taken = []
    for _ in range(TRIALS):
        began = time.process_time()
        act()
        taken.append(time.process_time() - began)
    return median(taken[3:])
