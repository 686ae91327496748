"""The limits of a run, and when the things happened that they are compared with."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from labkit.record import quantity


@dataclass(frozen=True)
class Limits:
    """When a run is ended from outside or between two steps.

    Args:
        wall_seconds: After this time from the first step.
        overtime_seconds: And so much later if its step goes on and it has not ended by itself.
        setup_seconds: If no step is there after this time.
        silent_seconds: If no new step comes for this time.
        memory_bytes: When the loop has added more than this to what its process held with
            TensorFlow imported; several workers get equal parts of it. None for no limit.
        stop_seconds: How long a Stop, or an interruption, waits for the step in progress and for
            what the loop does at its end, before the process is ended.
        end_seconds: By when after its start a script must have ended that nobody has ended: its
            threads may train, and what it leaves to Python's end may take long. What is left then
            is as much as any loop has for its end.
    """

    wall_seconds: float = 60.0
    setup_seconds: float = 120.0
    silent_seconds: float = 30.0
    memory_bytes: int | None = None
    stop_seconds: float = 2.0
    end_seconds: float = 0.0
    overtime_seconds: float = 2.0

    def of_one_worker(self, workers: int) -> Limits:
        """Return the limits of one of so many workers."""
        if self.memory_bytes is None:
            return self
        return replace(self, memory_bytes=self.memory_bytes // workers)


@dataclass
class Timing:
    """When things happened, in seconds of the monotonic clock."""

    asked: float = field(default_factory=time.monotonic)
    first_step: float | None = None
    stop_asked: float | None = None
    stop_asked_last: float | None = None
    interrupted: float | None = None
    finishing: float | None = None
    ended_early: bool = False  # for enough was known, or its time was up
    last_count: int = 0
    last_progress: float = field(default_factory=time.monotonic)

    @property
    def asked_to_end(self) -> bool:
        """Whether the run was to end before it would have by itself."""
        return self.stop_asked is not None or self.ended_early

    def stop(self) -> bool:
        """Note that somebody asks the run to stop; return whether that is the first time."""
        self.stop_asked_last = time.monotonic()
        first = self.stop_asked is None
        if first:
            self.stop_asked = self.stop_asked_last
        return first

    def shift(self, seconds: float) -> None:
        """Leave out a time in which nobody could do anything."""
        self.asked += seconds
        self.last_progress += seconds
        self.first_step = None if self.first_step is None else self.first_step + seconds
        for name in ("stop_asked", "stop_asked_last", "interrupted", "finishing"):
            if (when := getattr(self, name)) is not None:
                setattr(self, name, when + seconds)


def memory_reason(limit_bytes: int, steps: int) -> str:
    """Say that a run was ended because of its memory."""
    return (
        f"The run was ended after {quantity.steps(steps)} because its loop held more than the "
        f"limit of {limit_bytes / 1e6:,.0f} MB of memory; the steps up to there are kept."
    )
