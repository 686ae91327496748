"""Apache Otava's change points, from a folder of its own.

Otava pins an older numpy and a client for a cloud's database. Installed like any package it would
take ours down with it; its analysis needs numpy and scipy only and answers the same with ours.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

VERSION = "0.8.0"
FOLDER = Path(__file__).parents[2] / "bench-out" / f"otava-{VERSION}"
SMALLEST_GROWTH = 0.05


def install() -> bool:
    """Put Otava without its dependencies where only this bench looks; False where that fails."""
    if (FOLDER / "otava").is_dir():
        return True
    command = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    command += ["--no-deps", "--target", str(FOLDER), f"apache-otava=={VERSION}"]
    return subprocess.run(command, check=False).returncode == 0


def change_points() -> Callable[[list[float]], list[int]]:
    """Return Otava's search: a list of seconds in, the first step after each change out.

    With its own settings (windows of 50, p of .001) and only changes of 5 % or more. It must be
    handed a list: of an array it forgets to take the window, and all places are wrong.
    """
    sys.path.append(str(FOLDER))
    try:
        compute = import_module("otava.analysis").compute_change_points
    finally:
        sys.path.remove(str(FOLDER))

    def search(seconds: list[float]) -> list[int]:
        found, _ = compute(seconds, min_magnitude=SMALLEST_GROWTH)
        return [int(point.index) for point in found]

    return search
