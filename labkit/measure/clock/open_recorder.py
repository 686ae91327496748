"""The recorder of steps that are somebody else's calls: `begin` before one, `end` after it."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Callable, Sequence

from labkit.measure.clock.probe import Probe
from labkit.measure.clock.reading import NEXT_TO_NOTHING, Reading
from labkit.measure.clock.recorder import recorded_columns


class OpenRecorder:
    """Times steps that are somebody else's calls.

    Args:
        clock: Returns seconds.
        probes: Read after each step, outside its clock.
        most_steps: After so many none is recorded any more.
        full: Called once, when the last of these is over and read.

    The rows are kept in memory, one flat run of doubles in `rows`. ``begin()`` begins a step; one
    that was begun and not ended is forgotten. ``end()`` ends it and records it; without a beginning
    nothing is recorded. ``forget()`` forgets a step that was begun: what comes now is none.
    ``begun()`` tells whether a step was, and ``step()`` is the number of the one that goes on, or
    was ended last and is being read, or comes next.
    """

    begin: Callable[[], None]
    end: Callable[[], None]
    forget: Callable[[], None]
    begun: Callable[[], bool]
    step: Callable[[], int]

    def __init__(
        self,
        clock: Callable[[], float],
        probes: Sequence[Probe],
        most_steps: int = sys.maxsize,
        full: Callable[[], object] = lambda: None,
    ) -> None:
        self.columns = recorded_columns(probes)
        self.rows = array("d")
        self._open(clock, probes, most_steps, full)

    def _open(
        self,
        clock: Callable[[], float],
        probes: Sequence[Probe],
        most_steps: int,
        full: Callable[[], object],
    ) -> None:
        # Closures over plain locals, as in `recorder`: half the price of attributes.
        rows = self.rows
        width = len(self.columns)
        last = (most_steps - 1) * width
        reading = Reading(probes)
        begins, resumes, reads = reading.begins, reading.resumes, reading.reads
        standing, seldom = reading.standing, reading.seldom
        origin = clock()
        began: float | None = None
        ended = due = nothing = -math.inf
        reading_one = over = False

        def begin() -> None:
            nonlocal began
            if over:
                return
            for begin_probe in begins:
                begin_probe()
            began = clock()
            if resumes and began - ended > nothing:
                for resume in resumes:
                    resume()
                began = clock()

        def end() -> None:
            nonlocal began, ended, due, nothing, reading_one, over
            now = clock()
            if began is None:
                return
            ended = now
            at = len(rows)
            rows.extend(standing)
            rows[at] = began - origin
            rows[at + 1] = seconds = ended - began
            began, reading_one = None, True
            for read, place in reads:
                read(rows, at + place)
            reading_one = False
            if ended >= due:
                due = seldom(rows, at)
            nothing = NEXT_TO_NOTHING * seconds
            if at >= last:
                over = True
                full()

        def forget() -> None:
            nonlocal began
            began = None

        self.begin, self.end, self.forget = begin, end, forget
        self.begun = lambda: began is not None
        self.step = lambda: len(rows) // width - reading_one
