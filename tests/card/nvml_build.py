"""Builds the stand-in for NVIDIA's library NVML, once for its source, beside the card.

It needs no TensorFlow, and is a library that answers what `labkit.measure.machine.nvml` asks.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.card.build import CACHE, NO_COMPILER, CannotBuild

SOURCE = Path(__file__).parent / "nvml" / "nvml.cc"
NAME = "libnvidia-ml.so.1"  # what the package nvidia-ml-py loads
FLAGS = ("-O1", "-std=c++17", "-fPIC", "-shared", "-Wall", "-Wextra")


def nvml_folder(cache: Path = CACHE) -> Path:
    """Return the folder of the library, for ``LD_LIBRARY_PATH``; build it if its source changed.

    Raises:
        CannotBuild: If there is no compiler, or the source is wrong.
    """
    key = hashlib.sha256(repr(FLAGS).encode() + SOURCE.read_bytes()).hexdigest()[:16]
    folder = cache / f"nvml-{key}"
    if (folder / NAME).exists():
        return folder
    compiler = shutil.which("g++")
    if compiler is None:
        raise CannotBuild(NO_COMPILER)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        made = Path(place) / NAME
        command = [compiler, *FLAGS, str(SOURCE), "-o", str(made)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise CannotBuild(f"The stand-in for NVML cannot be built.\n{done.stderr[:4000]}")
        os.replace(made, folder / NAME)  # whole or not at all, whoever builds it at the same time
    return folder


def nvml_environment(
    *,
    clock_file: Path | None = None,
    cards: str | None = None,
    others: int | None = None,
    refuses: str | None = None,
) -> dict[str, str]:
    """Return the variables that give a process the library; ``nvml/nvml.cc`` says what they do.

    Args:
        clock_file: What it reads its numbers from; the stand-in card has its clock there, too.
        cards: The names of its cards.
        others: How many other processes compute on each.
        refuses: The functions that it refuses.
    """
    options = {
        "STAND_IN_CARD_CLOCK_FILE": clock_file,
        "STAND_IN_NVML_CARDS": cards,
        "STAND_IN_NVML_OTHERS": others,
        "STAND_IN_NVML_REFUSES": refuses,
    }
    told = {name: str(value) for name, value in options.items() if value is not None}
    return {"LD_LIBRARY_PATH": str(nvml_folder()), **told}
