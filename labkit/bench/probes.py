"""Which probes a run has: the standard ones, those a cause asks for, all for an unknown loop."""

from __future__ import annotations

import importlib
import time

from labkit.measure.canary import CanaryProbe
from labkit.measure.collector import CollectorProbe
from labkit.measure.everything import ANY_LOOP
from labkit.measure.graph import GraphProbe
from labkit.measure.hooks import Hooks
from labkit.measure.memory import SMALL_SHARE_OF_TIME, MemoryProbe
from labkit.measure.probe import Probe
from labkit.measure.processor import ProcessorProbe
from labkit.measure.switches import SwitchesProbe


def standard_probes(hooks: Hooks, memory: MemoryProbe) -> tuple[Probe, ...]:
    """Return the probes that every run has.

    Args:
        hooks: What they may hook into.
        memory: One of them, made before.
    """
    return (
        memory,
        ProcessorProbe(),
        SwitchesProbe(),
        CanaryProbe(time.perf_counter),
        # Those that count come last: they are read as one with those that follow.
        GraphProbe(hooks.tensorflow, hooks.places),
        CollectorProbe(hooks.places, hooks.events),
    )


def named_probe(name: str, hooks: Hooks) -> Probe:
    """Make one of the probes that are too dear, or too special, for every run."""
    module = importlib.import_module(f"labkit.measure.{name}")
    made: Probe = module.probe(hooks)
    return made


def any_loop_probes(hooks: Hooks) -> tuple[Probe, ...]:
    """Return all probes that a loop of which nothing is known is watched with."""
    return (
        *standard_probes(hooks, MemoryProbe(share=SMALL_SHARE_OF_TIME)),
        *(named_probe(name, hooks) for name in ANY_LOOP),
    )
