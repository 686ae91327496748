"""Which probes a run has: the standard ones, those a cause asks for, all for an unknown loop."""

from __future__ import annotations

import time
from collections.abc import Iterator

from labkit.measure.clock.probe import Probe
from labkit.measure.machine.canary import CanaryProbe
from labkit.measure.machine.card import CardProbe
from labkit.measure.machine.nvml import nvidia_card
from labkit.measure.machine.processor import ProcessorProbe, SwitchesProbe
from labkit.measure.machine.run_queue import PoolQueueProbe, RunQueueProbe
from labkit.measure.memory.collector import CollectorProbe
from labkit.measure.memory.resident import SMALL_SHARE_OF_TIME, MemoryProbe
from labkit.measure.patches.counting_probe import ProbeContext
from labkit.measure.patches.graph import GraphProbe
from labkit.measure.registry import ANY_LOOP, named_probe


def standard_probes(context: ProbeContext, memory: MemoryProbe) -> Iterator[Probe]:
    """Make the probes that every run has, one at a time.

    Args:
        context: What they may hook into.
        memory: One of them, made before.
    """
    yield memory
    yield ProcessorProbe()
    yield RunQueueProbe()
    yield PoolQueueProbe()
    yield SwitchesProbe()
    yield CanaryProbe(time.perf_counter)
    yield GraphProbe(context)
    yield CollectorProbe(context)
    if context.card is not None and (card := nvidia_card(context.card)):
        yield CardProbe(time.perf_counter, card, context.workers)


def any_loop_probes(context: ProbeContext) -> Iterator[Probe]:
    """Make all probes that a loop of which nothing is known is watched with, one at a time.

    They hook themselves in: where one cannot be made, those before it are to be closed.
    """
    yield from standard_probes(context, MemoryProbe(share=SMALL_SHARE_OF_TIME))
    yield from (named_probe(name, context) for name in ANY_LOOP)
