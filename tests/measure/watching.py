"""Probes with timers, as a test uses them: what a body counted, and where its time went."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from labkit.measure.clock.events import Events
from labkit.measure.clock.probe import HoldingProbe, Probe, StepProbe
from labkit.measure.clock.timers import Timers
from labkit.measure.patches.counting_probe import ProbeContext
from labkit.measure.patches.graph import GraphProbe
from labkit.measure.registry import named_probe


def context_of(timers: Timers, events: Events, tensorflow: Any = None) -> ProbeContext:
    """Return what a probe is handed: TensorFlow where the test has imported it, and these."""
    loaded = sys.modules.get("tensorflow", ModuleType("no_tensorflow"))
    return ProbeContext(tensorflow or loaded, timers, events, "cpu")


def numbers_of(probe: Probe) -> list[float]:
    """Return what a probe writes into a row."""
    row = [0.0] * len(probe.columns)
    probe.read(row, 0)
    return row


class Watching:
    """Some probes, closed at the end of the ``with`` block.

    Args:
        names: Of the registry; ``"graph"`` is the probe of graphs, which every run has.
    """

    def __init__(self, *names: str) -> None:
        self.events = Events()
        self.timers = Timers(time.perf_counter)
        context = context_of(self.timers, self.events)
        self.probes: list[Any] = [
            GraphProbe(context) if name == "graph" else named_probe(name, context) for name in names
        ]

    def __enter__(self) -> Watching:
        return self

    def __exit__(self, *_error: object) -> None:
        for probe in reversed(self.probes):
            if isinstance(probe, HoldingProbe):
                probe.close()

    def begin(self) -> None:
        """Begin a step."""
        for probe in (*self.probes, self.timers):
            if isinstance(probe, StepProbe):
                probe.begin()

    def step(self, body: Callable[[], object]) -> float:
        """Run the body as one step; return how long it took."""
        self.begin()
        began = time.perf_counter()
        body()
        return time.perf_counter() - began

    def seconds(self) -> dict[str, float]:
        """Return the seconds of the step so far by the title of the place, those above zero."""
        row = zip(self.timers.columns, numbers_of(self.timers), strict=True)
        return {column.title: each for column, each in row if column.kind == "place" and each > 0}

    def counter(self, name: str) -> float:
        """Return one counter by its column's name."""
        for probe in (self.timers, *self.probes):
            names = [column.name for column in probe.columns]
            if name in names:
                return numbers_of(probe)[names.index(name)]
        raise KeyError(name)

    @property
    def missing(self) -> list[str]:
        """The names that are not there."""
        return [name for probe in self.probes for name in getattr(probe, "missing", ())]
