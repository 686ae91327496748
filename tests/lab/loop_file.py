"""The loops of ``tests/loops`` and small ones of a test's own, as a file or as a function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from labkit.cause import run_file

LOOPS = Path(__file__).parent.parent / "loops"
GROWING_GRAPH = LOOPS / "loop_02.py"
HEALTHY = LOOPS / "loop_91.py"
SMALL = """
import tensorflow as tf

def make_step():
    matrix = tf.ones([40, 40])

    def step():
        return tf.reduce_sum(tf.matmul(matrix, matrix))

    return step
"""
# It needs no TensorFlow.
QUIET = """
import threading

def make_step():
    return lambda: threading.Event().wait(0.001)
"""


def quiet_loop(folder: Path, name: str = "loop.py") -> Path:
    """Write a loop that does nothing but wait, in a folder that is made for it."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(QUIET)
    return file


def loop_of(path: Path) -> Callable[[], Callable[[], object]]:
    """Return a file's ``make_step``."""
    made: Callable[[], Callable[[], object]] = run_file(path, f"labkit_own_{path.stem}").make_step
    return made
