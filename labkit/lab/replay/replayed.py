"""A recorded run that is played again: its steps come when they came, or faster."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from labkit.record import Column, Event, Run, State, Steps, ToggleValue


class Replayed:
    """A recorded run on show, of which as much is visible as has been played.

    Args:
        name: A name that no other run on show has.
        run: What was recorded; nothing is added to it and nothing left out.
        speed: How many times faster than it was recorded.
        clock: Returns seconds.
    """

    def __init__(
        self,
        name: str,
        run: Run,
        speed: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.run = run
        self._speed = speed
        self._clock = clock
        self._columns = {column: np.asarray(run.steps.column(column)) for column in run.steps.names}
        self._ends = self._columns["start_seconds"] + self._columns["seconds"]
        # The first step holds TensorFlow's start-up: nobody wants to wait for that again.
        self._began = clock() + (float(self._columns["start_seconds"][:1].sum()) / speed)
        self._first = float(self._columns["seconds"][:1].sum())
        self._stopped: int | None = None
        self._paused_at: float | None = None
        self._lock = threading.Lock()

    @property
    def count(self) -> int:
        """How many steps were played."""
        with self._lock:
            return self._played() if self._stopped is None else self._stopped

    def _played(self) -> int:
        now = self._clock() if self._paused_at is None else self._paused_at
        passed = (now - self._began) * self._speed + self._first
        return int(np.searchsorted(self._ends, passed, side="right"))

    @property
    def state(self) -> State:
        if self._stopped is not None:
            return State("stopped")
        return self.run.state if self.count == len(self.run.steps) else State("running")

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.run.columns

    @property
    def events(self) -> tuple[Event, ...]:
        count = self.count
        return tuple(event for event in self.run.events if event.step < max(count, 1))

    @property
    def toggles(self) -> Mapping[str, ToggleValue]:
        found = dict(self.run.toggles)
        for event in self.events:
            if event.kind == "toggle":
                value = event.detail["value"]
                found[str(event.detail["name"])] = value if isinstance(value, bool) else str(value)
        return found

    @property
    def workers(self) -> int:
        return 1 + len(self.run.others)

    def read(self, column: str, start: int, end: int, worker: int = 0) -> NDArray[np.float64]:
        """Return steps ``start`` to ``end - 1`` of one column, as far as they were played."""
        played = slice(start, min(end, self.count))
        if not worker:
            return self._columns[column][played]
        other = self.run.others[worker - 1]
        return np.asarray(other.column(column)[played] if column in other.names else ())

    def snapshot(self) -> Run:
        """Return the run so far as a plain value; played to its end it is the recorded one."""
        count, state = self.count, self.state
        if count == len(self.run.steps) and state == self.run.state:
            return self.run
        return replace(
            self.run,
            state=state,
            steps=Steps({name: values[:count] for name, values in self._columns.items()}),
            events=tuple(event for event in self.run.events if event.step <= count),
            evidence={
                name: tuple(pair for pair in pairs if pair[0] <= count)
                for name, pairs in self.run.evidence.items()
            },
            others=tuple(
                Steps({name: each.column(name)[:count] for name in each.names})
                for each in self.run.others
            ),
        )

    @property
    def paused(self) -> bool:
        """Whether it waits before its next step."""
        return self._paused_at is not None

    def pause(self, on: bool) -> None:
        """Wait before the next step, or go on."""
        with self._lock:
            if on and self._paused_at is None:
                self._paused_at = self._clock()
            elif not on and self._paused_at is not None:
                self._began += self._clock() - self._paused_at
                self._paused_at = None

    def stop(self) -> None:
        """Play no further."""
        with self._lock:
            played = self._played()
            if self._stopped is None and played < len(self._ends):
                self._stopped = played
