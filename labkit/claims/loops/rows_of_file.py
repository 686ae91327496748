"""The same pipeline over the same 100 MB, but its rows come from a file.

The pipeline is built in the eleventh step, so that what memory it takes can be seen.
"""

import tempfile
from pathlib import Path

import numpy as np
import tensorflow as tf

ROWS, FEATURES = 25_000, 1_000


def preprocess(row):
    return tf.io.decode_raw(row, tf.float32) * 2.0 - 1.0


def make_step():
    path = Path(tempfile.mkdtemp()) / "rows"
    random = np.random.default_rng(0)
    with path.open("wb") as file:
        for _ in range(ROWS // 100):
            file.write(random.random((100, FEATURES), "float32").tobytes())
    done, batches = 0, iter(())

    def step():
        nonlocal done, batches
        done += 1
        if done <= 10:
            return tf.reduce_mean(tf.ones([32, FEATURES]))
        if done == 11:
            rows = tf.data.FixedLengthRecordDataset(str(path), 4 * FEATURES).map(preprocess)
            batches = iter(rows.shuffle(1_000).batch(32).prefetch(tf.data.AUTOTUNE))
        return tf.reduce_mean(next(batches))

    return step
