"""The probes by name: what a cause asks for, and what watches a loop of which nothing is known.

What is in `ANY_LOOP` must cost next to nothing where it sees nothing, must not start TensorFlow's
runtime before the loop does, and must not import what the loop does not. No two of them patch the
same function.

Left out:

- ``allocator``, which every run on a GPU has: asking for the pool's bytes costs 6 us per step, and
  on a CPU tells only of tensors of 256 KiB and more; the count of live objects has all tensors now
  and then. On a GPU it tells of the steps that waited for a free block, up to ten seconds each.
- ``objects``: 3 to 50 ms now and then; the count of live objects has the same counters, and its
  time is left out.
- ``holes``: walks the C library's free chunks, 150 us for 3,000; the count of live objects reads
  the heap.
- ``rewriting``: asks TensorFlow to keep two copies of each graph it prepares, which changes what
  the loop costs in time and memory.
- ``network``: 12 us per step, and counts other programs' bytes too.
- ``page_faults``: 1 to 2 us per step; no rule decides by it.
- ``paging``: as expensive with few threads, 22 us with many; the count of live objects has the same
  counter.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from labkit.measure.clock.probe import Probe
from labkit.measure.machine.network import NetworkProbe
from labkit.measure.machine.paging import FaultsProbe, PagingProbe
from labkit.measure.memory.allocator import AllocatorProbe
from labkit.measure.memory.heap import HolesProbe
from labkit.measure.memory.objects import ObjectsProbe
from labkit.measure.patches import timed_functions
from labkit.measure.patches.copies import CopiesProbe
from labkit.measure.patches.counting_probe import ProbeContext, TableProbe
from labkit.measure.patches.eager import EagerProbe
from labkit.measure.patches.files import FilesProbe
from labkit.measure.patches.function.compiling import CompilingProbe, KerasFunctionsProbe
from labkit.measure.patches.function.rewriting import RewritingProbe
from labkit.measure.patches.function.tracing import TracingProbe
from labkit.measure.patches.input_pipeline import InputProbe
from labkit.measure.patches.picking import PickingProbe
from labkit.measure.patches.tape import TapeProbe

TABLES = {
    "sessions": timed_functions.SESSIONS,  # opening and closing
    "session_calls": timed_functions.SESSION_CALLS,  # feeding and fetching
    "building": timed_functions.BUILDING,  # variables, layers, optimizers
    "whole_graph": timed_functions.WHOLE_GRAPH,  # writing a graph out, putting a Saver into one
    "training": timed_functions.TRAINING,  # Keras fit, its callbacks and adapters
    "observers": timed_functions.OBSERVERS,  # drawing, printing, checking all numbers, the profiler
    "waiting": timed_functions.WAITING,  # sleeping, and other threads
}
# Probes with code of their own, and what each adds to a step.
PROBES: dict[str, Callable[[ProbeContext], Probe]] = {
    # 5 us a call of a tf.function
    "tracing": TracingProbe,
    # XLA; 2 us a call of a tf.function that is for it
    "compiling": CompilingProbe,
    "keras_functions": KerasFunctionsProbe,
    # less than 1 us an op on the way back
    "tape": TapeProbe,
    # tf.data
    "input_pipeline": InputProbe,
    "copies": CopiesProbe,
    # 0.4 us an element that is picked
    "picking": PickingProbe,
    # 0.4 us an op
    "eager": EagerProbe,
    # checkpoints and summaries
    "files": FilesProbe,
    "rewriting": lambda context: RewritingProbe(context.events),
    # 4 us
    "allocator": AllocatorProbe,
    # 10 us, and now and then 3 to 50 ms
    "objects": lambda context: ObjectsProbe(time.perf_counter),
    "holes": lambda context: HolesProbe(),
    "network": lambda context: NetworkProbe(),
    "page_faults": lambda context: FaultsProbe(),
    # 1 us
    "paging": lambda context: PagingProbe(),
}
ANY_LOOP = (
    "sessions", "session_calls", "whole_graph", "tracing", "compiling", "tape", "building",
    "training", "keras_functions", "input_pipeline", "copies", "picking", "observers", "eager",
    "files", "waiting",
)  # fmt: skip
ON_CARD = ("allocator",)  # what every run has besides that is on a graphics card
GPU_LOOP = (*ANY_LOOP, *ON_CARD)


def named_probe(name: str, context: ProbeContext) -> Probe:
    """Make a probe that not every run has.

    Args:
        name: One of `TABLES` or `PROBES`.
        context: What it may patch.
    """
    if name in TABLES:
        return TableProbe(TABLES[name], context)
    return PROBES[name](context)
