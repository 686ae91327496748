"""What a worker measures with: TensorFlow set up for one device, the probes, the environment."""

from __future__ import annotations

import importlib
import os
import random
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from labkit.bench.environment import describe
from labkit.cause import Cause
from labkit.measure.canary import CanaryProbe
from labkit.measure.collector import CollectorProbe
from labkit.measure.counters import LoopCounters
from labkit.measure.events import Events
from labkit.measure.functions import OwnFunctions
from labkit.measure.graph import GraphProbe
from labkit.measure.hooks import Hooks
from labkit.measure.memory import MemoryProbe
from labkit.measure.places import Places
from labkit.measure.probe import FaultProbe, Probe
from labkit.measure.processor import ProcessorProbe
from labkit.record import LabkitError, Plain

NO_GPU = (
    "A GPU was asked for and TensorFlow finds none; run on the cpu device, or install "
    "TensorFlow's GPU build and a driver."
)


@dataclass(frozen=True)
class Equipment:
    """What `equip` sets up.

    Args:
        probes: Read at every step.
        memory: One of them, asked for the limit as well.
        counters: One of them, which reads the loop's own counters once there is a loop.
        events: What the probes saw happen.
        synchronise: Waits for the device; None on a CPU.
        device_scope: Where the loop's ops are placed.
        environment: Versions and machine, for the run's record.
    """

    probes: tuple[Probe, ...]
    memory: MemoryProbe
    counters: LoopCounters
    events: Events
    synchronise: Callable[[], object] | None
    device_scope: AbstractContextManager[object]
    environment: dict[str, Plain]

    def last_look(self, error: BaseException) -> None:
        """Let the probes that want to look once more, when the loop has ended in an error."""
        for probe in self.probes:
            if isinstance(probe, FaultProbe):
                probe.failed(error)


def equip(device: str, seed: int, cause: Cause) -> Equipment:
    """Import TensorFlow, choose its device, and hook the probes in.

    Args:
        device: ``"cpu"`` hides every GPU from TensorFlow; ``"gpu"`` needs one.
        seed: Of Python's and NumPy's global generators. TensorFlow's own is left to the loop,
            because setting it touches the runtime.
        cause: Says what else is to be measured.

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
    card = _gpu_name(tf) if device == "gpu" else None
    hooks = Hooks(tf, Places(time.perf_counter), Events(), device)
    memory = MemoryProbe()
    counters = LoopCounters(cause.counters)
    OwnFunctions(cause.make_step.__globals__, cause.functions, hooks.places)
    standard: tuple[Probe, ...] = (
        GraphProbe(tf, hooks.places),
        CollectorProbe(hooks.places, hooks.events),
        memory,
        ProcessorProbe(),
        CanaryProbe(time.perf_counter),
    )
    asked = tuple(_probe(name, hooks) for name in cause.probes)
    # The stopwatch comes last: every other probe adds its places to it.
    probes = (counters, *standard, *asked, hooks.places)
    missing = [name for probe in probes for name in getattr(probe, "missing", ())]
    return Equipment(
        probes=probes,
        memory=memory,
        counters=counters,
        events=hooks.events,
        synchronise=tf.test.experimental.sync_devices if device == "gpu" else None,
        device_scope=tf.device("/GPU:0") if device == "gpu" else nullcontext(),
        environment=describe(tf, device, card, missing),
    )


def _probe(name: str, hooks: Hooks) -> Probe:
    """Make one of the probes that are too dear, or too special, for every run."""
    module = importlib.import_module(f"labkit.measure.{name}")
    made: Probe = module.probe(hooks)
    return made


def _gpu_name(tf: Any) -> str:
    cards = tf.config.list_physical_devices("GPU")
    if not cards:
        raise LabkitError(NO_GPU)
    return str(tf.config.experimental.get_device_details(cards[0]).get("device_name", "GPU"))
