"""The recorder of steps that are somebody else's calls: `begin` before one, `end` after it."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from labkit.measure.pace import Pace
from labkit.measure.probe import Probe
from labkit.measure.reading import NEXT_TO_NOTHING, Reading
from labkit.measure.recorder import recorded_columns


class OpenRecorder:
    """Times steps that are somebody else's calls.

    Args:
        clock: Returns seconds.
        probes: Read outside the steps' clock, after each or after several.
        pace: How many steps are read as one; None for each step by itself.
        looked: Tells whether the step that begins is looked at closely, and so read by itself.

    The rows are kept in memory, one flat run of doubles in `rows`. ``begin()`` begins a step; one
    that was begun and not ended is forgotten. ``end()`` ends it and records it; without a beginning
    nothing is recorded. ``forget()`` forgets a step that was begun: what comes now is none.
    ``begun()`` tells whether a step was, and ``step()`` is the number of the one that goes on, or
    was ended last and is being read, or comes next.

    Of steps that are read as one the last has all they counted and the others NaN. Where such a
    block was broken off unread, `breaks` has how many steps there were; `labkit.measure.blocks`
    gives each its part.
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
        pace: Pace | None = None,
        looked: Callable[[], bool] = lambda: False,
    ) -> None:
        self.columns = recorded_columns(probes)
        self.rows = array("d")
        self.breaks = array("q")
        self._open(clock, probes, pace, looked)

    def _open(
        self,
        clock: Callable[[], float],
        probes: Sequence[Probe],
        pace: Pace | None,
        looked: Callable[[], bool],
    ) -> None:
        # Closures over plain locals, as in `recorder`: half the price of attributes.
        rows: Any = self.rows  # typeshed's index of an array is wider than a row's
        breaks, width = self.breaks, len(self.columns)
        reading = Reading(probes)
        begins, resumes, reads = reading.begins, reading.resumes, reading.reads
        standing, seldom = reading.standing, reading.seldom
        origin = clock()
        began: float | None = None
        ended = due = nothing = -math.inf
        beginning = 0.0
        unusual, between = math.inf, 0.0
        block, unread, close, reading_one = 1, 0, False, False

        def begin() -> None:
            nonlocal began, beginning, block, close
            if unread:
                began = clock()
                if began - ended <= between:
                    return
                # What came in between belongs to no step, and cannot be told from what does.
                broken()
            asked = clock()
            for each in begins:
                each()
            began = clock()
            if resumes and began - ended > nothing:
                for each in resumes:
                    each()
                began = clock()
            if pace is not None:
                beginning = began - asked
                close = looked()
                block = 1 if close else pace.block

        def end() -> None:
            nonlocal began, ended, unread
            now = clock()
            if began is None:
                return
            ended = now
            at = len(rows)
            rows.extend(standing)
            rows[at] = began - origin
            rows[at + 1] = seconds = ended - began
            began = None
            unread += 1
            if unread >= block or seconds > unusual:
                read_block(at, seconds)

        def read_block(at: int, seconds: float) -> None:
            nonlocal unread, unusual, between, nothing, due, reading_one
            shortest = min(rows[at + 1 - width * (unread - 1) : at + 2 : width])
            unread, reading_one = 0, True
            for read, place in reads:
                read(rows, at + place)
            reading_one = False
            # Of a step that was looked at closely nothing is as usual, what it takes to read least.
            if pace is not None and not close:
                pace.after(shortest, beginning + clock() - ended)
                unusual, between = pace.unusual_seconds, pace.between_seconds
            if ended >= due:
                due = seldom(rows, at)
            nothing = NEXT_TO_NOTHING * seconds

        def broken() -> None:
            nonlocal unread, nothing
            if unread and pace is not None:
                breaks.append(len(rows) // width)
                pace.lost(unread)
                unread, nothing = 0, -math.inf

        def forget() -> None:
            nonlocal began
            began = None
            # At the end of a loop, as a rule: where nothing has come since, the block is whole.
            if unread and clock() - ended <= between:
                at = len(rows) - width
                read_block(at, rows[at + 1])
            broken()

        self.begin, self.end, self.forget = begin, end, forget
        self.begun = lambda: began is not None
        self.step = lambda: len(rows) // width - reading_one
