"""The steps of a run file: rows of numbers, of which there may be a million.

Each is checked as it comes, while its line is known, by what costs least; what is wrong with a row
is looked for only when something is.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Container, Sequence
from typing import Any

from labkit.record.format.limits import MOST_NUMBERS, MOST_SECONDS, MOST_WORKERS
from labkit.record.format.schema import CLOCK, check_clock
from labkit.record.format.shape import Misfit, finite, misfit, whole
from labkit.record.steps import Steps

# By the exact type: true is a whole number to Python, and no time.
NUMBERS = frozenset({int, float, type(None)})
WORKER = whole(MOST_WORKERS - 1)


class Rows:
    """Takes rows and makes steps of them.

    Args:
        names: The columns' names, in the order of a row's numbers.
        times: Of these, which hold seconds.
    """

    def __init__(self, names: Sequence[str], times: Container[str] = ()) -> None:
        self._names = tuple(names)
        self._times = tuple(place for place, name in enumerate(names) if name in times)
        self._start, self._seconds = (self._names.index(name) for name in CLOCK)
        self._workers: dict[int, array[float]] = {}
        self._last: dict[int, float] = {}
        self._numbers = 0

    def take(self, row: list[Any]) -> None:
        """Take a worker's number and the numbers of one of its steps.

        Raises:
            Misfit: If it is no such row, or there are more than any run has.
        """
        if len(row) != len(self._names) + 1:
            raise Misfit(f"{max(0, len(row) - 1)} numbers where {len(self._names)} belong")
        if not NUMBERS.issuperset(map(type, row)):
            raise self._fault(row)
        worker = row.pop(0)
        taken = self._workers.get(worker)
        if taken is None or type(worker) is not int:
            taken = self._begin(worker)
        if None in row:
            row = [math.nan if number is None else number for number in row]
        check_clock(self._last[worker], row[self._start], row[self._seconds])
        # By one call for all of them: a run may have a million rows of forty times.
        times = [row[place] for place in self._times if row[place] == row[place]]
        try:
            if times and not math.hypot(*times) <= MOST_SECONDS:
                self._check_times(row)
        except OverflowError:  # a whole number that no double can hold
            raise self._fault([worker, *row]) from None
        self._last[worker] = row[self._start]
        if math.inf in row or -math.inf in row:  # the first labkit wrote such counters
            row = [math.nan if math.isinf(number) else number for number in row]
        try:
            taken.fromlist(row)
        except OverflowError:
            raise self._fault([worker, *row]) from None
        self._numbers += len(row)
        if self._numbers > MOST_NUMBERS:
            raise Misfit(f"the run has more than {MOST_NUMBERS:,} numbers, the most of any run")

    def _check_times(self, row: Sequence[float]) -> None:
        for place in self._times:
            if MOST_SECONDS < abs(row[place]) < math.inf:
                rule = f"at most {MOST_SECONDS:,.0f} seconds, or null"
                raise misfit(self._names[place], row[place], rule)

    def _begin(self, worker: object) -> array[float]:
        place = WORKER(worker, "worker", False)
        self._last[place] = -math.inf
        return self._workers.setdefault(place, array("d"))

    def _fault(self, row: Sequence[Any]) -> Misfit:
        """Return what is wrong with a row in which something is."""
        worker, *numbers = row
        for name, number in zip(self._names, numbers, strict=True):
            if type(number) not in NUMBERS or (isinstance(number, int) and not finite(number)):
                return misfit(name, number, "a finite number or null")
        return misfit("worker", worker, "a whole number")

    def counts(self) -> dict[int, int]:
        """Return how many steps each worker has of which there is one."""
        return {worker: len(taken) // len(self._names) for worker, taken in self._workers.items()}

    def steps(self, worker: int) -> Steps:
        """Return all steps of a worker; none if there is no row of it."""
        taken = self._workers.get(worker, array("d"))
        width = len(self._names)
        # Looked at, not copied: of a million steps each copy takes 140 MB.
        with memoryview(taken) as numbers:
            return Steps({name: numbers[place::width] for place, name in enumerate(self._names)})
