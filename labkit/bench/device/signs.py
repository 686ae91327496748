"""Signs of a graphics card that can be seen without TensorFlow, which the kernel never imports."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

# Of Nvidia's driver, of the same in Windows' Linux, and of AMD's.
DRIVER_FILES = (
    Path("/proc/driver/nvidia/version"),
    Path("/dev/nvidiactl"),
    Path("/dev/dxg"),
    Path("/dev/kfd"),
)
# TensorFlow loads devices of other makers from here while it is imported
# (tensorflow/python/framework/load_library.py, and tensorflow/__init__.py).
PLUGIN_VARIABLE = "TF_PLUGGABLE_DEVICE_LIBRARY_PATH"
PLUGIN_FOLDER = "tensorflow-plugins"
HIDING_VARIABLE = "CUDA_VISIBLE_DEVICES"
NOTHING_VISIBLE = ("", "-1", "none", "NoDevFiles")


def has_plugin(environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether TensorFlow will load a device that is not one of its own."""
    if environment.get(PLUGIN_VARIABLE):
        return True
    found = find_spec("tensorflow")  # looks, and imports nothing
    places = (found.submodule_search_locations or []) if found is not None else []
    return any(
        any(folder.iterdir())
        for folder in (Path(place).parent / PLUGIN_FOLDER for place in places)
        if folder.is_dir()
    )


def has_driver() -> bool:
    """Tell whether the driver of a graphics card is there."""
    return any(file.exists() for file in DRIVER_FILES)


def is_hidden(environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether a variable of CUDA's hides all cards from every program started here."""
    return environment.get(HIDING_VARIABLE, "0").strip() in NOTHING_VISIBLE
