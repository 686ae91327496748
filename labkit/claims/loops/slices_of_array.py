"""Source 3's pipeline, in substance: a dataset of slices of an array of 100 MB, mapped and batched.

The pipeline is built in the eleventh step, so that what memory it takes can be seen.
"""

import numpy as np
import tensorflow as tf

ROWS, FEATURES = 25_000, 1_000


def make_step():
    array = np.random.default_rng(0).random((ROWS, FEATURES), "float32")
    done, batches = 0, iter(())

    def step():
        nonlocal done, batches
        done += 1
        if done <= 10:
            return tf.reduce_mean(array[:32])
        if done == 11:
            rows = tf.data.Dataset.from_tensor_slices(array).map(lambda row: row * 2.0 - 1.0)
            batches = iter(rows.shuffle(1_000).batch(32).prefetch(tf.data.AUTOTUNE))
        return tf.reduce_mean(next(batches))

    return step
