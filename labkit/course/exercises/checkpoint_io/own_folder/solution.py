import tempfile
from pathlib import Path

import numpy as np
import tensorflow as tf

NAME = "weights/.ATTRIBUTES/VARIABLE_VALUE"


def make_step():
    folder = Path(tempfile.mkdtemp())
    data = tf.random.stateless_normal([16, 8], seed=[0, 1])
    weights, done = tf.Variable(tf.ones([8, 1])), 0
    checkpoint = tf.train.Checkpoint(weights=weights)
    manager = tf.train.CheckpointManager(checkpoint, folder / "checkpoints", max_to_keep=3)

    def step():
        nonlocal done
        scores = (data @ weights).numpy()
        for n in range(16):
            scores[n].tofile(folder / f"score-{done}-{n}.bin")
        done += 1
        weights.assign_sub(0.02 * tf.matmul(data, scores - 1.0, transpose_a=True))
        newest = tf.train.load_checkpoint(manager.save()).get_tensor(NAME)
        older = np.fromfile(folder / f"score-{done // 2}-5.bin", np.float32)
        return newest.sum() + older[0]

    return step
