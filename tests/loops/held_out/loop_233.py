import os
import tempfile

import keras
import numpy as np


def make_step():
    keras.utils.set_random_seed(33)
    model = keras.Sequential(
        [keras.Input([10]), keras.layers.Dense(20, activation="relu"), keras.layers.Dense(1)]
    )
    model.compile(optimizer="adam", loss="mse")
    x = np.random.default_rng(33).normal(size=(32, 10)).astype("float32")
    y = x[:, :1]
    folder = tempfile.mkdtemp()
    number = 0

    def step():
        nonlocal number
        number += 1
        loss = model.train_on_batch(x, y)
        model.save_weights(os.path.join(folder, f"step_{number:05d}.weights.h5"))
        return loss

    return step
