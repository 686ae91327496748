import tempfile

import keras
import numpy as np
import tensorflow as tf


def make_step():
    keras.utils.set_random_seed(5)
    model = keras.Sequential(
        [keras.Input([24]), keras.layers.Dense(128, activation="relu"), keras.layers.Dense(1)]
    )
    model.compile(optimizer="adam", loss="mse")
    checkpoint = tf.train.Checkpoint(variables=[v.value for v in model.variables])
    manager = tf.train.CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=3)
    random = np.random.default_rng(5)
    x = random.normal(size=(64, 24)).astype("float32")
    y = x.mean(axis=1, keepdims=True)
    done = 0

    def step():
        nonlocal done
        loss = model.train_on_batch(x, y)
        done += 1
        if done % 50 == 0:
            manager.save(checkpoint_number=done)
        return loss

    return step
