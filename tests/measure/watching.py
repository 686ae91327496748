"""Probes with timers, as a test uses them: what a body counted, and where its time went."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from types import ModuleType, TracebackType
from typing import Any

from labkit.measure.clock.events import Events
from labkit.measure.clock.probe import StepProbe
from labkit.measure.clock.probe_context import ProbeContext
from labkit.measure.clock.timers import Timers
from labkit.measure.registry import named_probe


def named(name: str) -> Callable[[ProbeContext], Any]:
    """Return what makes the probe of a name."""
    return partial(named_probe, name)


class Watching:
    """Some probes, closed at the end of the ``with`` block.

    Args:
        tensorflow: The imported module.
        make: Functions that make a probe from its context.
    """

    def __init__(self, tensorflow: ModuleType, *make: Callable[[ProbeContext], Any]) -> None:
        self.events = Events()
        self.timers = Timers(time.perf_counter)
        context = ProbeContext(tensorflow, self.timers, self.events, "cpu")
        self.probes = [each(context) for each in make]

    def __enter__(self) -> Watching:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for probe in reversed(self.probes):
            probe.close()

    def step(self, body: Callable[[], object]) -> float:
        """Run the body as one step; return how long it took."""
        for probe in (*self.probes, self.timers):
            if isinstance(probe, StepProbe):
                probe.begin()
        began = time.perf_counter()
        body()
        return time.perf_counter() - began

    def seconds(self) -> dict[str, float]:
        """Return the seconds of the last step by the title of the place, those above zero."""
        row = [0.0] * len(self.timers.columns)
        self.timers.read(row, 0)
        titled = zip(self.timers.columns, row, strict=True)
        return {column.title: each for column, each in titled if each > 0}

    def counter(self, name: str) -> float:
        """Return one counter by its column's name."""
        for probe in self.probes:
            names = [column.name for column in probe.columns]
            if name in names:
                row = [0.0] * len(names)
                probe.read(row, 0)
                return row[names.index(name)]
        raise KeyError(name)

    @property
    def missing(self) -> list[str]:
        """The names that are not there."""
        return [name for probe in self.probes for name in getattr(probe, "missing", ())]
