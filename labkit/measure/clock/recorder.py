"""The recorder: times one step after the other and lets the probes fill its row."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

from labkit.measure.clock.probe import Probe, Row
from labkit.measure.clock.reading import NEXT_TO_NOTHING, OWN_COLUMNS, Reading
from labkit.record import Column


class Store(Protocol):
    """Where rows go, piece by piece."""

    @property
    def rows(self) -> Row:
        """The rows that are filled first, one after the other: a flat run of doubles."""

    def more_rows(self) -> Row:
        """Return those that come after the last ones; asked for when these are full."""

    @property
    def committed(self) -> memoryview[int] | list[int]:
        """One whole number: how many rows are visible to every reader."""


def recorded_columns(probes: Sequence[Probe]) -> tuple[Column, ...]:
    """Return the columns of every row: the clock's two, then each probe's."""
    return OWN_COLUMNS + tuple(column for probe in probes for column in probe.columns)


class Recorder:
    """Times steps.

    Args:
        clock: Returns seconds, like ``time.perf_counter``: a float costs 70 ns a step less than the
            whole number of ``perf_counter_ns``, and is as exact until a machine is years up.
        store: Takes the rows.
        probes: Read after each step, outside its clock.
        synchronise: Waits for an accelerator, inside the clock; without it an asynchronous
            device would be timed at its launch. None on a CPU, where every step already waits.

    ``recorder.step(body)`` runs the body once and records it. What the body raises passes through,
    and that step is not recorded; so does what the store raises when it has no room for more.
    ``recorder.leave_out(seconds)`` takes a pause between two steps out of the time of the run.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        store: Store,
        probes: Sequence[Probe] = (),
        synchronise: Callable[[], object] | None = None,
    ) -> None:
        self.step, self.leave_out = _stepper(clock, store, probes, synchronise)


def _stepper(
    clock: Callable[[], float],
    store: Store,
    probes: Sequence[Probe],
    synchronise: Callable[[], object] | None,
) -> tuple[Callable[[Callable[[], object]], None], Callable[[float], None]]:
    # A closure over plain locals: as a method with attributes this took twice as long a step.
    rows, committed = store.rows, store.committed
    width = len(recorded_columns(probes))
    reading = Reading(probes)
    begins, resumes, reads = reading.begins, reading.resumes, reading.reads
    standing, seldom = reading.standing, reading.seldom
    end = len(rows)
    at = count = 0
    origin = clock()
    ended = due = nothing = -math.inf

    def step(body: Callable[[], object]) -> None:
        nonlocal rows, end, at, count, ended, due, nothing
        if at == end:
            rows = store.more_rows()
            end, at = len(rows), 0
        for begin in begins:
            begin()
        began = clock()
        if resumes and began - ended > nothing:
            for resume in resumes:
                resume()
            began = clock()
        body()
        if synchronise is not None:
            synchronise()
        ended = clock()
        rows[at : at + width] = standing
        rows[at] = began - origin
        rows[at + 1] = seconds = ended - began
        for read, place in reads:
            read(rows, at + place)
        if ended >= due:
            due = seldom(rows, at)
        nothing = NEXT_TO_NOTHING * seconds
        at += width
        count += 1
        committed[0] = count

    def leave_out(seconds: float) -> None:
        nonlocal origin
        origin += seconds

    return step, leave_out
