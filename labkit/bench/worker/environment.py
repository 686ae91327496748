"""The device a loop computes on, and the machine and the versions of a run, for its record."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType

from labkit.bench.machine import usable_cores
from labkit.measure.machine.nvml import driver_version
from labkit.record import Plain

NVIDIA_DRIVER = Path("/proc/driver/nvidia/version")


def gpu_name() -> str | None:
    """Return the name of the first graphics card that TensorFlow sees, None where it sees none."""
    import tensorflow as tf

    cards = tf.config.list_physical_devices("GPU")
    if not cards:
        return None
    return str(tf.config.experimental.get_device_details(cards[0]).get("device_name", "GPU"))


def limit_pool(megabytes: int) -> None:
    """Let TensorFlow take so much of the first graphics card and no more.

    A plug-in card of another maker does not heed it (``pluggable_device_factory.cc``).
    """
    import tensorflow as tf

    limited = tf.config.LogicalDeviceConfiguration(memory_limit=megabytes)
    card = tf.config.list_physical_devices("GPU")[0]
    tf.config.set_logical_device_configuration(card, [limited])


def device_wait(goes_on: bool) -> Callable[[], object] | None:
    """Return what waits until a step's work is done; None where every step waits by itself.

    Args:
        goes_on: Whether a step may end before its work, and would be timed at its launch: on a
            graphics card, and on a processor that was told to go on.
    """
    if not goes_on:
        return None
    import tensorflow as tf

    def wait() -> None:
        # Refused in graph mode, where a session's run has waited already.
        if not tf.executing_eagerly():
            return
        names = [device.name for device in tf.config.list_logical_devices("GPU")]
        if len({name.partition("/device:")[0] for name in names}) <= 1:
            tf.test.experimental.sync_devices()
            return
        # Of several workers it would ask for the others' devices, too, and fail. A number alone is
        # a device of this one.
        for number in {name.rpartition(":")[2] for name in names}:
            with tf.device(f"/GPU:{number}"):
                tf.raw_ops.SyncDevice()

    return wait


def describe(tf: ModuleType, device: str, card: str | None, missing: list[str]) -> dict[str, Plain]:
    """Return versions, processor and, where one is used, the graphics card with its driver.

    Args:
        tf: The imported TensorFlow.
        device: ``"cpu"`` or ``"gpu"``.
        card: The card's name; None without one.
        missing: Private names of TensorFlow that this version does not have.
    """
    keras = sys.modules.get("keras")
    return {
        "tensorflow": str(tf.__version__),
        "tensorflow_build": _build(tf),
        "keras": str(getattr(keras, "__version__", "")) or None,
        "python": platform.python_version(),
        "labkit": _version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor_name(),
        "cores": usable_cores(),
        "device": device,
        "gpu": card,
        "driver": _driver() if device == "gpu" else None,
        "not_measured": ", ".join(missing) or None,
    }


def _version() -> str | None:
    try:
        return version("labkit")
    except PackageNotFoundError:  # run from a folder, without having been installed
        return None


def _build(tf: ModuleType) -> str:
    """Return what TensorFlow was built for: ``cpu``, or the versions of CUDA and cuDNN."""
    facts = dict(tf.sysconfig.get_build_info())
    if not facts.get("is_cuda_build"):
        return "cpu"
    return f"CUDA {facts.get('cuda_version', '?')}, cuDNN {facts.get('cudnn_version', '?')}"


def _driver() -> str | None:
    try:
        return NVIDIA_DRIVER.read_text("utf-8", "replace").splitlines()[0].strip()
    except (OSError, IndexError):  # in some containers the file is not there
        version = driver_version()
        return None if version is None else f"NVIDIA driver {version}"


def processor_name() -> str:
    """Return what the processor calls itself."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:  # not Linux
        return platform.processor()
    return platform.processor()
