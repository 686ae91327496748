"""The first cell of every notebook: says what is here, or what is missing and what to do."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from labkit.bench.machine import memory_room, small_machine, usable_cores
from labkit.course.cells import magic
from labkit.course.check.graphics_card import graphics_card
from labkit.lab.kernel import bench, live_mode

PACKAGES = ("ipywidgets", "anywidget", "matplotlib")
TENSORFLOWS = ("tensorflow", "tensorflow-cpu", "tensorflow-intel", "tensorflow-macos")
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

    In IPython the cell magics ``%%diagnose`` and ``%%exercise`` are made known. TensorFlow is
    looked up, never imported: in the kernel it would take the GPU's memory and disturb the clock.

    Args:
        gpu: Whether the lab is better with a graphics card; without one, labkit says how to get
            one, and that the lab works all the same.
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
    card = graphics_card()
    if card is not None:
        print(f"graphics card: {card}; a lab or a run uses it with  device='gpu'")
    elif gpu:
        print(NO_CARD.format(how=GET_CARD["google.colab" in sys.modules]))
    if small := small_machine():
        print(f"a small machine ({small}): labs take smaller sizes here, the curves are the same")
    how = {
        "panel": "labs open as live panels",
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
