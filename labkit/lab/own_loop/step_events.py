"""What happens in a watched loop, each with the step into which it falls."""

from __future__ import annotations

from collections.abc import Callable
from types import EllipsisType

from labkit.measure.clock.events import Events, Place
from labkit.record import Event, Plain


class StepEvents(Events):
    """Events with their steps, noted as they happen, so that nobody need ask.

    Attributes:
        step: Returns the number of the step that goes on; None where nothing is recorded any more.
        events: What happened so far.
    """

    def __init__(self, line: Callable[[], Place] | None = None) -> None:
        super().__init__(line)
        # Nothing of the watching: hooks hold this, and it must go when nobody asks any more.
        self.step: Callable[[], int | None] = lambda: 0
        self.events: list[Event] = []

    def add(self, kind: str, text: str, *, at: Place | EllipsisType = ..., **detail: Plain) -> None:
        super().add(kind, text, at=at, **detail)
        step = self.step()
        for each in self.take():
            if step is not None:
                self.events.append(Event(step, each.kind, each.text, each.detail))
