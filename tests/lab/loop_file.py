"""The loops of ``tests/loops`` and small ones of a test's own, as a file or as a function."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

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


def loop_of(path: Path) -> Callable[[], Callable[[], object]]:
    """Return a file's ``make_step``."""
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None and specification.loader is not None
    module: ModuleType = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    made: Callable[[], Callable[[], object]] = module.make_step
    return made
