"""The recorder of steps that are somebody else's calls: `begin` before one, `end` after it."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Callable, Sequence

from labkit.measure.clock.probe import Probe, Row
from labkit.measure.clock.reading import NEXT_TO_NOTHING, Reading
from labkit.measure.clock.recorder import Store, recorded_columns

Complete = Callable[[Row, int, int], int]


class OpenRecorder:
    """Times steps that are somebody else's calls.

    Args:
        clock: Returns seconds.
        probes: Read after each step, outside its clock.
        most_steps: After so many none is recorded any more.
        full: Called once, when the last of these is over and read.
        store: Takes the rows; None to keep them in memory, one flat run of doubles in `rows`.

    ``complete`` may be set before the first step: it is called after each with the rows, the place
    of the newest in there and the number of all, and returns how many of them a reader may see.

    ``begin()`` begins a step; one
    that was begun and not ended is forgotten. ``end()`` ends it and records it; without a beginning
    nothing is recorded. ``forget()`` forgets a step that was begun, and shows all before it: what
    comes now is none.
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
        store: Store | None = None,
    ) -> None:
        self.columns = recorded_columns(probes)
        self.rows = array("d")
        self.complete: Complete = lambda rows, at, count: count
        self._open(clock, probes, most_steps, full, store)

    def _open(
        self,
        clock: Callable[[], float],
        probes: Sequence[Probe],
        most_steps: int,
        full: Callable[[], object],
        store: Store | None,
    ) -> None:
        # Closures over plain locals, as in `recorder`: half the price of attributes.
        kept = self.rows
        rows: Row = kept if store is None else store.rows
        committed = [0] if store is None else store.committed
        width = len(self.columns)
        at = count = 0
        reading = Reading(probes)
        begins, resumes, reads = reading.begins, reading.resumes, reading.reads
        standing, seldom = reading.standing, reading.seldom
        origin = clock()
        began: float | None = None
        ended = due = nothing = -math.inf
        over = False

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
            nonlocal began, ended, due, nothing, over, rows, at, count
            now = clock()
            if began is None:
                return
            ended = now
            if store is None:
                kept.extend(standing)
            else:
                if at == len(rows):
                    rows, at = store.more_rows(), 0
                rows[at : at + width] = standing
            rows[at] = began - origin
            rows[at + 1] = seconds = ended - began
            began = None
            for read, place in reads:
                read(rows, at + place)
            if ended >= due:
                due = seldom(rows, at)
            nothing = NEXT_TO_NOTHING * seconds
            count += 1
            committed[0] = self.complete(rows, at, count)
            at += width
            if count >= most_steps:
                over = True
                full()

        def forget() -> None:
            nonlocal began
            began = None
            committed[0] = count

        self.begin, self.end, self.forget = begin, end, forget
        self.begun = lambda: began is not None
        # Of one that is being read, too, for it is counted when that is over.
        self.step = lambda: count
