"""The recorder: times one step after the other and lets the probes fill its row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from labkit.measure.probe import Probe, Row
from labkit.record import Column

CLOCK_COLUMNS = (
    Column("start_seconds", "start of the step", "s", "clock"),
    Column("seconds", "time of the step", "s", "clock"),
)


class Store(Protocol):
    """Where rows go: one row is open at a time, and a committed row is there for every reader."""

    def open_row(self) -> Row:
        """Return the next row to fill."""

    def commit(self) -> None:
        """Make the open row the last of the recorded ones."""


def recorded_columns(probes: Sequence[Probe]) -> tuple[Column, ...]:
    """Return the columns of every row: the clock's two, then each probe's."""
    return CLOCK_COLUMNS + tuple(column for probe in probes for column in probe.columns)


class Recorder:
    """Times steps.

    Args:
        clock: Returns nanoseconds, like ``time.perf_counter_ns``.
        store: Takes the rows.
        probes: Read after each step, outside its clock.
        synchronise: Waits for an accelerator, inside the clock; without it an asynchronous
            device would be timed at its launch. None on a CPU, where every step already waits.
    """

    def __init__(
        self,
        clock: Callable[[], int],
        store: Store,
        probes: Sequence[Probe] = (),
        synchronise: Callable[[], object] | None = None,
    ) -> None:
        self._clock = clock
        self._store = store
        self._probes: list[tuple[Probe, int]] = []
        place = len(CLOCK_COLUMNS)
        for probe in probes:
            self._probes.append((probe, place))
            place += len(probe.columns)
        self._synchronise = synchronise
        self._origin: int | None = None

    def step(self, body: Callable[[], object]) -> None:
        """Run the body once and record it; what the body raises passes through, unrecorded."""
        clock = self._clock
        synchronise = self._synchronise
        for probe, _ in self._probes:
            probe.begin()
        began = clock()
        body()
        if synchronise is not None:
            synchronise()
        ended = clock()
        if self._origin is None:
            self._origin = began
        row = self._store.open_row()
        row[0] = (began - self._origin) * 1e-9
        row[1] = (ended - began) * 1e-9
        for probe, place in self._probes:
            probe.read(row, place)
        self._store.commit()
