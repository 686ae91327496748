"""The recorder: times one step after the other and lets the probes fill its row."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from labkit.measure.probe import Probe, Row, StepProbe
from labkit.measure.tally import joined
from labkit.record import Column

CLOCK_COLUMNS = (
    Column("start_seconds", "start of the step", "s", "clock"),
    Column("seconds", "time of the step", "s", "clock"),
)


class Counter(Protocol):
    """One whole number in shared memory, or a list of one in a test."""

    def __setitem__(self, place: int, value: int, /) -> None: ...


class Store(Protocol):
    """Where rows go: one flat run of doubles, of which the first rows are committed."""

    @property
    def rows(self) -> Row:
        """All rows, one after the other."""

    @property
    def committed(self) -> Counter:
        """One whole number: how many rows are visible to every reader."""


def recorded_columns(probes: Sequence[Probe]) -> tuple[Column, ...]:
    """Return the columns of every row: the clock's two, then each probe's."""
    return CLOCK_COLUMNS + tuple(column for probe in probes for column in probe.columns)


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
    and that step is not recorded; an IndexError with no body's fault means that the store is full.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        store: Store,
        probes: Sequence[Probe] = (),
        synchronise: Callable[[], object] | None = None,
    ) -> None:
        self.step = _stepper(clock, store, probes, synchronise)


class OpenRecorder:
    """Times steps that are somebody else's calls: `begin` before one, `end` after it.

    Args:
        clock: Returns seconds.
        probes: Read after each step, outside its clock.

    The rows are kept in memory, one flat run of doubles in `rows`.
    """

    def __init__(self, clock: Callable[[], float], probes: Sequence[Probe]) -> None:
        self.columns = recorded_columns(probes)
        self.rows = array("d")
        self._clock = clock
        self._begins, self._reads = _calls(probes)
        self._blank = array("d", [math.nan]) * len(self.columns)
        self._origin = clock()
        self._began: float | None = None

    def begin(self) -> None:
        """Begin a step; one that was begun and not ended is forgotten."""
        for begin in self._begins:
            begin()
        self._began = self._clock()

    def end(self) -> None:
        """End the step and record it; without a beginning nothing is recorded."""
        ended = self._clock()
        if self._began is None:
            return
        at = len(self.rows)
        self.rows.extend(self._blank)
        rows: Any = self.rows  # typeshed's index of an array is wider than a row's
        rows[at] = self._began - self._origin
        rows[at + 1] = ended - self._began
        for read, place in self._reads:
            read(rows, at + place)
        self._began = None

    def forget(self) -> None:
        """Forget a step that was begun: what comes now is none."""
        self._began = None


def _calls(
    probes: Sequence[Probe],
) -> tuple[list[Callable[[], None]], list[tuple[Callable[[Row, int], None], int]]]:
    """Return what is called before each step, and what after it with its place in the row."""
    begins: list[Callable[[], None]] = []
    reads: list[tuple[Callable[[Row, int], None], int]] = []
    place = len(CLOCK_COLUMNS)
    for probe in joined(probes):
        if isinstance(probe, StepProbe):
            begins.append(probe.begin)
        if probe.columns:
            reads.append((probe.read, place))
        place += len(probe.columns)
    return begins, reads


def _stepper(
    clock: Callable[[], float],
    store: Store,
    probes: Sequence[Probe],
    synchronise: Callable[[], object] | None,
) -> Callable[[Callable[[], object]], None]:
    # A closure over plain locals: as a method with attributes this took twice as long a step.
    rows, committed = store.rows, store.committed
    width = len(recorded_columns(probes))
    begins, reads = _calls(probes)
    at = count = 0
    origin = clock()

    def step(body: Callable[[], object]) -> None:
        nonlocal at, count
        for begin in begins:
            begin()
        began = clock()
        body()
        if synchronise is not None:
            synchronise()
        ended = clock()
        rows[at] = began - origin
        rows[at + 1] = ended - began
        for read, offset in reads:
            read(rows, at + offset)
        at += width
        count += 1
        committed[0] = count

    return step
