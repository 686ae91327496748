"""What the viewers are handed: anything that has a run, a state and a stop.

Whether that is a child process, the reader's own loop or a recording is none of their business.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from labkit.cause import Mechanism, Meeting, Toggle
from labkit.record import Column, Diagnosis, Event, Run, State, ToggleValue


class Source(Protocol):
    """One run, in progress or finished. Reading is cheap and never waits for the loop."""

    @property
    def name(self) -> str:
        """A name that no other run of this kernel has, e.g. ``"graph_growth-3"``."""

    @property
    def state(self) -> State:
        """How far it has come, or how it ended."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """What is recorded; empty until the worker has said so."""

    @property
    def toggles(self) -> Mapping[str, ToggleValue]:
        """The toggles' values now."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened so far, in order of step; grows only at its end."""

    @property
    def count(self) -> int:
        """How many steps are recorded so far."""

    @property
    def workers(self) -> int:
        """How many workers do its steps."""

    def read(self, column: str, start: int, end: int, worker: int = 0) -> NDArray[np.float64]:
        """Return steps ``start`` to ``end - 1`` of one column, as far as they are recorded.

        Of a worker but the first it is empty where the column is not known.
        """

    def snapshot(self) -> Run:
        """Return the run so far as a plain value."""

    @property
    def paused(self) -> bool:
        """Whether it waits before its next step."""

    def pause(self, on: bool) -> None:
        """Have it wait before its next step, or go on; returns at once. Raises LabkitError."""

    def stop(self) -> None:
        """Ask the loop to end after its current step; returns at once."""


class Player(Protocol):
    """What the panel's controls act on: a lab, a replay, or a test's stand-in."""

    @property
    def title(self) -> str:
        """The lab's title."""

    @property
    def place(self) -> str:
        """Where it runs, e.g. ``"CPU - TensorFlow 2.21 - 2 cores"``; empty until known."""

    @property
    def banner(self) -> str:
        """What must stand above the curve, e.g. that this is a recording; else empty."""

    @property
    def toggles(self) -> tuple[Toggle, ...]:
        """The toggles to show, the main one first."""

    @property
    def lanes(self) -> tuple[str, ...]:
        """The evidence columns to show under the chart, most telling first."""

    @property
    def mechanism(self) -> Mechanism | Meeting | None:
        """What happens inside a step, to be drawn beside the curve; None where nothing is known."""

    @property
    def usual_steps(self) -> int:
        """How many steps make the effect clear: those that a guess is about."""

    @property
    def current(self) -> Source | None:
        """The run on show; None before the first."""

    @property
    def earlier(self) -> tuple[Source, ...]:
        """Runs before it, newest first, to draw as ghosts."""

    def start(self, toggles: Mapping[str, object]) -> Source:
        """End the run in progress, if any, and start a fresh one. Raises LabkitError."""

    def set(self, name: str, value: object) -> None:
        """Flip a live toggle of the run in progress. Raises LabkitError."""

    def stop(self) -> None:
        """Stop the run in progress, if any; returns at once."""

    def judge(self, source: Source) -> Diagnosis:
        """Say what can be said of a run so far; takes milliseconds, so ask about once a second."""

    def save(self, source: Source) -> str:
        """Save the run to a file and return its path. Raises LabkitError."""
