"""Is there a graphics card? Asked of the driver: the kernel never imports TensorFlow."""

from __future__ import annotations

import shutil
import subprocess

QUESTION = ("--query-gpu=name", "--format=csv,noheader")
SECONDS = 10.0


def graphics_card() -> str | None:
    """Return the name of the first graphics card that the driver tells of; None without one."""
    command = shutil.which("nvidia-smi")
    if command is None:
        return None
    try:
        told = subprocess.run(
            [command, *QUESTION], capture_output=True, text=True, timeout=SECONDS, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):  # it is there, and no card or no driver is
        return None
    return next((line.strip() for line in told.splitlines() if line.strip()), None)
