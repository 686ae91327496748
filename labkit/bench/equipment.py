"""What a worker measures with: TensorFlow set up for one device, the probes, the environment."""

from __future__ import annotations

import os
import platform
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from labkit.measure.collector import CollectorProbe
from labkit.measure.graph import GraphProbe
from labkit.measure.memory import MemoryProbe
from labkit.measure.places import Places
from labkit.measure.probe import Probe
from labkit.measure.processor import ProcessorProbe
from labkit.record import LabkitError, Plain


@dataclass(frozen=True)
class Equipment:
    """What `equip` sets up.

    Args:
        probes: Read at every step.
        memory: One of them, asked for the limit as well.
        synchronise: Waits for the device; None on a CPU.
        environment: Versions and machine, for the run's record.
    """

    probes: tuple[Probe, ...]
    memory: MemoryProbe
    synchronise: Callable[[], object] | None
    environment: dict[str, Plain]


def equip(device: str, seed: int) -> Equipment:
    """Import TensorFlow, choose its device, and hook the probes in.

    Args:
        device: ``"cpu"`` hides every GPU from TensorFlow; ``"gpu"`` needs one.
        seed: Of Python's and NumPy's global generators. TensorFlow's own is left to the loop,
            because setting it touches the runtime.

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
    places = Places(time.perf_counter)
    memory = MemoryProbe()
    graph = GraphProbe(tf, places)
    probes: tuple[Probe, ...] = (graph, CollectorProbe(places), memory, ProcessorProbe(), places)
    return Equipment(
        probes=probes,
        memory=memory,
        synchronise=tf.test.experimental.sync_devices if device == "gpu" else None,
        environment=_environment(tf, device, card, graph.missing),
    )


def _gpu_name(tf: Any) -> str:
    cards = tf.config.list_physical_devices("GPU")
    if not cards:
        raise LabkitError(
            "A GPU was asked for and TensorFlow finds none; run on the cpu device, or install "
            "TensorFlow's GPU build and a driver."
        )
    return str(tf.config.experimental.get_device_details(cards[0]).get("device_name", "GPU"))


def _environment(
    tf: ModuleType, device: str, card: str | None, missing: list[str]
) -> dict[str, Plain]:
    keras = sys.modules.get("keras")
    return {
        "tensorflow": str(tf.__version__),
        "keras": str(getattr(keras, "__version__", "")) or None,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor_name(),
        "cores": usable_cores(),
        "device": device,
        "gpu": card,
        "not_measured": ", ".join(missing) or None,
    }


def usable_cores() -> int:
    """Return the number of processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor_name() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:  # not Linux
        return platform.processor()
    return platform.processor()
