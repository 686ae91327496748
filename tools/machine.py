"""The machine that was measured, and what ran on it: figures without it mean nothing."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil

from labkit import __version__
from labkit.bench.machine import memory_room, usable_cores
from labkit.bench.worker.environment import processor_name
from tests.browser.chromium import find_chromium

TENSORFLOWS = ("tensorflow", "tensorflow-cpu")


def machine() -> dict[str, str]:
    """Return what a reader must know of the machine, by name."""
    tensorflow = next((found for name in TENSORFLOWS if (found := _version(name))), "missing")
    total = psutil.virtual_memory().total / 1e9
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": processor_name() or platform.machine(),
        "cores": str(usable_cores()),
        "memory": f"{total:.0f} GB, {memory_room() / 1e9:.0f} GB free",
        "load before": f"{os.getloadavg()[0]:.1f} processes",
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "Python": platform.python_version(),
        "TensorFlow": tensorflow,
        "JupyterLab": _version("jupyterlab") or "missing",
        "ipykernel": _version("ipykernel") or "missing",
        "browser": Path(find_chromium() or "missing").name,
        "labkit": __version__,
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
