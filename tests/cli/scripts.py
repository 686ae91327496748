"""Scripts that train, written for a test and diagnosed by the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.command import labkit

SETTING = """
import os, sys
import numpy as np
import tensorflow as tf
x = tf.random.stateless_normal([64, 8], [1, 1])
w = tf.Variable(tf.zeros([8, 1]))

@tf.function
def train(rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    w.assign_sub(rate * tape.gradient(loss, w))
    return loss
"""


def told(folder: Path, code: str, *arguments: str, status: int = 0) -> dict[str, Any]:
    """Diagnose a script in its folder, and return what is told of it and on standard error."""
    (folder / "train.py").write_text(SETTING + code)
    done = labkit("diagnose", "--json", "train.py", *arguments)
    assert done.returncode == status, done.stderr
    return {**json.loads(done.stdout), "stderr": done.stderr}
