"""The first cell of every notebook: says what is here, or what is missing and what to do."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from labkit.bench.limits import memory_room, small_machine, usable_cores
from labkit.lab import magic
from labkit.lab.kernel import bench, live_mode

PACKAGES = ("ipywidgets", "anywidget", "matplotlib")
TENSORFLOWS = ("tensorflow", "tensorflow-cpu", "tensorflow-intel", "tensorflow-macos")


def setup() -> None:
    """Print versions, processor, memory and the live mode, and warm the launcher.

    In IPython the cell magic ``%%diagnose`` is made known. TensorFlow is looked up, never imported:
    in the kernel it would take the GPU's memory and disturb the clock.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is not None:
        magic.register(shell)
    tensorflow = next((found for name in TENSORFLOWS if (found := _version(name))), None)
    print(f"labkit {_version('labkit')} on Python {platform.python_version()}, {platform.system()}")
    if tensorflow is None:
        print("TensorFlow is missing: run  %pip install tensorflow  and then this cell again.")
        return
    bench().warm()
    widgets = ", ".join(f"{name} {_version(name) or 'missing'}" for name in PACKAGES)
    print(f"TensorFlow {tensorflow}; {widgets}")
    print(f"{usable()}, {memory_room() / 1e9:.1f} GB of memory free")
    if small := small_machine():
        print(f"a small machine ({small}): labs take smaller sizes here, the curves are the same")
    how = {
        "panel": "labs open as live panels",
        "core": "labs open as simple widgets (anywidget is missing)",
        "blocking": "no widgets here: use lab.play('off', 'on')",
    }
    print(f"ready: {how[live_mode()]}")


def usable() -> str:
    """Return the number of cores in words."""
    cores = usable_cores()
    return f"{cores} processor core{'s' * (cores != 1)}"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
