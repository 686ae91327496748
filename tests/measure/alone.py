"""A program in a process of its own: for what changes, or depends on, the whole process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def said_alone(program: str, **variables: str) -> list[str]:
    """Run a program, with these environment variables; return the lines it printed, or its error.

    Of the error the end.
    """
    quiet = {"CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **quiet, **variables}, cwd=ROOT,
        capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    return (done.stdout if done.returncode == 0 else done.stderr[-2000:]).splitlines()
