"""What a worker measures with: TensorFlow set up for one device, the probes, the environment."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from labkit.bench.device.faults import NO_GPU
from labkit.bench.device.signs import has_plugin
from labkit.bench.worker.environment import describe, device_wait, gpu_name, limit_pool
from labkit.bench.worker.sampling_plan import closing_look, looks
from labkit.bench.worker.standard_probes import standard_probes
from labkit.cause import Cause
from labkit.measure.clock.events import Events
from labkit.measure.clock.probe import FaultProbe, Probe, Row
from labkit.measure.clock.sampling import Sampling
from labkit.measure.clock.source_names import SourceNames
from labkit.measure.clock.timers import Timers
from labkit.measure.memory.reach.object_sizes import reach
from labkit.measure.memory.resident import SHARE_OF_TIME, SMALL_SHARE_OF_TIME, MemoryProbe
from labkit.measure.patches.counting_probe import ProbeContext
from labkit.measure.patches.patches import OwnFunctions
from labkit.measure.registry import ANY_LOOP, ON_CARD, named_probe
from labkit.record import Column, LabkitError, Plain

# A toggle's: how many megabytes of the card TensorFlow may take. Its own setting of this name
# (xla/stream_executor) is none of the pool's.
POOL_LIMIT = "TF_PER_DEVICE_MEMORY_LIMIT_MB"


class LoopCounters:
    """The probe that reads what a loop counts about itself, after every step.

    Args:
        columns: What the cause declares.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = tuple(columns)
        self._readers: list[Callable[[], float]] = []

    def attach(self, readers: Mapping[str, Callable[[], float]]) -> None:
        """Take the loop's readers, once the loop is built.

        Raises:
            KeyError: If a declared counter has no reader.
        """
        self._readers = [readers[column.name] for column in self.columns]

    def read(self, row: Row, place: int) -> None:
        for offset, reader in enumerate(self._readers):
            row[place + offset] = float(reader())


@dataclass(frozen=True)
class Equipment:
    """What `equip` sets up.

    Args:
        probes: Read at every step.
        memory: One of them, asked for the limit as well.
        counters: One of them, which reads the loop's own counters once there is a loop.
        events: What the probes saw happen.
        synchronise: Waits for the device; None where each step does so by itself.
        environment: Versions and machine, for the run's record.
        timers: Of the patched functions.
        sampling: Takes the expensive looks; None where there are none.
    """

    probes: tuple[Probe, ...]
    memory: MemoryProbe
    counters: LoopCounters
    events: Events
    synchronise: Callable[[], object] | None
    environment: dict[str, Plain]
    timers: Timers
    sampling: Sampling | None = None

    def look_at(self, step: Callable[[], object], scratch: Path) -> None:
        """Begin to take the expensive looks, where they were asked for.

        Args:
            step: Does one step.
            scratch: Where the loop's files go.
        """
        if self.sampling is None:
            return
        taken = looks(partial(reach, step), scratch, self.timers)
        missing = [name for looked in taken for name in getattr(looked.look, "missing", ())]
        names = filter(None, [self.environment["not_measured"], *missing])
        self.environment["not_measured"] = ", ".join(map(str, names)) or None
        self.sampling.attach(taken)

    def last_looks(self) -> dict[str, float]:
        """Return what is known only at the end; the loop must not go on after it."""
        counts = self.sampling.looks[0].look if self.sampling and self.sampling.looks else None
        return closing_look(counts, ended=True)

    def last_look(self, error: BaseException) -> None:
        """Let the probes that want to look once more, when the loop has ended in an error."""
        for probe in self.probes:
            if isinstance(probe, FaultProbe):
                probe.failed(error)


def equip(
    device: str,
    seed: int,
    cause: Cause,
    say: Callable[[int, Mapping[str, float]], None] | None = None,
    workers: int = 1,
) -> Equipment:
    """Import TensorFlow, choose its device, and hook the probes in.

    No op is placed by hand: where a card is visible TensorFlow takes it by itself. To enter
    ``tf.device`` would begin TensorFlow's runtime, and a loop that sets its threads, or trains with
    several workers, could not do so any more.

    Args:
        device: ``"cpu"`` hides every GPU from TensorFlow; ``"gpu"`` needs one.
        seed: Seed of Python's and NumPy's global generators. TensorFlow's own is left to the loop,
            because setting it touches the runtime.
        cause: Says what else is to be measured.
        say: Takes what the expensive looks find, by the number of steps done; with it everything is
            measured that can tell why a loop gets slower.
        workers: How many processes the run has.

    Raises:
        ModuleNotFoundError: If TensorFlow is not installed.
        LabkitError: If a GPU is asked for and there is none.
    """
    import time

    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    if device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
    else:
        os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
    import numpy as np
    import tensorflow as tf

    random.seed(seed)
    np.random.seed(seed % 2**32)
    card = _card(device)
    # The lines of a cause's own file say nothing to a learner.
    events = Events() if say is None else Events(SourceNames().running)
    context = ProbeContext(tf, Timers(time.perf_counter), events, device, card, workers)
    memory = MemoryProbe(share=SHARE_OF_TIME if say is None else SMALL_SHARE_OF_TIME)
    counters = LoopCounters(cause.counters)
    if say is None:
        OwnFunctions(cause.make_step.__globals__, cause.functions, context.timers)
    standard = tuple(standard_probes(context, memory))
    sampling = Sampling(time.perf_counter, say) if say is not None else None
    # A diagnosis treats a cause like a loop that nobody knows.
    names = ANY_LOOP if sampling else cause.probes
    on_card = ON_CARD if device == "gpu" else ()
    asked = tuple(named_probe(name, context) for name in dict.fromkeys((*names, *on_card)))
    # The expensive looks come first: what other probes do after a step is no part of them.
    first = (sampling,) if sampling else ()
    probes: tuple[Probe, ...] = (*first, counters, *standard, context.timers, *asked)
    missing = [name for probe in probes for name in getattr(probe, "missing", ())]
    wait = device_wait(device == "gpu" or bool(cause.device_wait))
    if wait is not None:
        wait = _timed_wait(wait, context.timers)
    return Equipment(
        probes=probes,
        memory=memory,
        counters=counters,
        events=context.events,
        synchronise=wait,
        environment=describe(tf, device, card, missing),
        timers=context.timers,
        sampling=sampling,
    )


def _card(device: str) -> str | None:
    """Return the name of the graphics card of a run; None on the processor, where all are hidden.

    Raises:
        LabkitError: If there is none.
    """
    import tensorflow as tf

    if device == "cpu":
        if has_plugin():
            # CUDA's variable hides no other maker's card. It is asked for only here: a build for
            # CUDA looks for its driver when it is, and complains.
            tf.config.set_visible_devices([], "GPU")
        return None
    card = gpu_name()
    if card is None:
        raise LabkitError(NO_GPU)
    if limit := os.environ.get(POOL_LIMIT):
        limit_pool(int(limit))
    return card


def _timed_wait(wait: Callable[[], object], timers: Timers) -> Callable[[], None]:
    """Return a wait for the device whose time has a place of its own in the ledger."""
    place = timers.add("device_wait", "waiting for the device")

    def timed() -> None:
        timers.enter(place)
        try:
            wait()
        finally:
            timers.leave()

    return timed
