"""A finished run as the viewers want it: read column by column."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from labkit.record import Column, Event, Run, State, ToggleValue


class Still:
    """A `Source` that does not move.

    Args:
        run: What was recorded.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._known = frozenset(run.steps.names)

    @property
    def name(self) -> str:
        """The cause, or what the reader's loop is called."""
        return self._run.cause

    @property
    def state(self) -> State:
        """How it ended."""
        return self._run.state

    @property
    def columns(self) -> tuple[Column, ...]:
        """What was recorded."""
        return self._run.columns

    @property
    def toggles(self) -> Mapping[str, ToggleValue]:
        """The toggles' values when it began."""
        return self._run.toggles

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened."""
        return self._run.events

    @property
    def count(self) -> int:
        """How many steps there are."""
        return len(self._run.steps)

    def read(self, column: str, start: int, end: int) -> NDArray[np.float64]:
        """Return steps ``start`` to ``end - 1`` of one column; nothing of one not recorded."""
        if column not in self._known:
            return np.empty(0)
        return np.asarray(self._run.steps.column(column))[start:end]

    def snapshot(self) -> Run:
        """Return the run."""
        return self._run

    def stop(self) -> None:
        """Nothing: it has ended."""
