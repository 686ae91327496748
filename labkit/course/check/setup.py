"""The first cell of every notebook: says what is here, or what is missing and what to do."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from labkit.bench.machine import memory_room, small_machine, usable_cores
from labkit.course import cells
from labkit.course.exercises import attempt
from labkit.course.progress.progress import progress
from labkit.lab.kernel import bench, live_mode

PACKAGES = ("ipywidgets", "anywidget", "matplotlib")
TENSORFLOWS = ("tensorflow", "tensorflow-cpu", "tensorflow-intel", "tensorflow-macos")
NO_TENSORFLOW = "no TensorFlow"
CARD_NAME = ("--query-gpu=name", "--format=csv,noheader")
CARD_SECONDS = 10.0
NO_CARD = (
    "This lab is better with a graphics card (GPU), and there is none here. {how} "
    "You can also go on: what needs a card says so, and all else runs as it is."
)
GET_CARD = {
    True: "Choose Runtime > Change runtime type > T4 GPU in the menu, then run this cell again.",
    False: "Google Colab lends one: open the lab there, and choose a runtime with a GPU.",
}


def setup(*, gpu: bool = False) -> None:
    """Print versions, processor, memory and the live mode, and warm the launcher.

    In IPython the magics ``%diagnose``, ``%%diagnose`` and ``%%exercise`` are made known.
    TensorFlow is looked up, never imported: in the kernel it would take the GPU's memory and
    disturb the clock.

    Args:
        gpu: Whether the lab is better with a graphics card; without one, labkit says how to get
            one, and that the lab works all the same.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is not None:
        register(shell)
    ours, tensorflow = versions()
    print(ours)
    if tensorflow == NO_TENSORFLOW:
        print("TensorFlow is missing: run  %pip install tensorflow  and then this cell again.")
        return
    bench().warm()
    widgets = ", ".join(f"{name} {_version(name) or 'missing'}" for name in PACKAGES)
    print(f"{tensorflow}; {widgets}")
    cores = usable_cores()
    usable = f"{cores} processor core{'s' * (cores != 1)}"
    print(f"{usable}, {memory_room() / 1e9:.1f} GB of memory free")
    card = graphics_card()
    if card is not None:
        print(f"graphics card: {card}; labs run on it once it has answered a short check")
    elif gpu:
        print(NO_CARD.format(how=GET_CARD["google.colab" in sys.modules]))
    if small := small_machine():
        print(f"a small machine ({small}): labs take smaller sizes here, the curves are the same")
    how = {
        "panel": "labs open as live panels",
        "blocking": "no widgets here: use lab.play('off', 'on')",
    }
    print(f"ready: {how[live_mode()]}")
    if (path := progress()).begun:
        print(path.sentence())


def register(shell: Any) -> None:
    """Make ``%diagnose``, ``%%diagnose`` and ``%%exercise`` known to an IPython shell.

    Args:
        shell: What ``get_ipython()`` returns.
    """
    shell.register_magic_function(cells.run_line, magic_kind="line", magic_name=cells.MAGIC)
    shell.register_magic_function(cells.run_cell, magic_kind="cell", magic_name=cells.MAGIC)
    shell.register_magic_function(attempt.run_cell, magic_kind="cell", magic_name=attempt.MAGIC)


def graphics_card() -> str | None:
    """Return the name of the first graphics card that the driver tells of; None without one.

    TensorFlow would know, but the kernel never imports it.
    """
    command = shutil.which("nvidia-smi")
    if command is None:
        return None
    try:
        told = subprocess.run(
            [command, *CARD_NAME], capture_output=True, text=True, timeout=CARD_SECONDS, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):  # it is there, and no card or no driver is
        return None
    return next((line.strip() for line in told.splitlines() if line.strip()), None)


def versions() -> tuple[str, str]:
    """Return what is here of labkit, Python and the system, and which TensorFlow."""
    tensorflow = next((found for name in TENSORFLOWS if (found := _version(name))), None)
    ours = f"labkit {_version('labkit')} on Python {platform.python_version()}, {platform.system()}"
    return ours, f"TensorFlow {tensorflow}" if tensorflow else NO_TENSORFLOW


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
