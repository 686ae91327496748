import gc

import keras
import numpy as np


def make_step():
    keras.utils.set_random_seed(29)
    model = keras.Sequential(
        [keras.Input([20]), keras.layers.Dense(40, activation="relu"), keras.layers.Dense(1)]
    )
    model.compile(optimizer="adam", loss="mse")
    x = np.random.default_rng(29).normal(size=(64, 20)).astype("float32")
    y = x[:, :1]
    done = 0

    def step():
        nonlocal done
        loss = model.train_on_batch(x, y)
        done += 1
        if done % 10 == 0:
            gc.collect()
        return loss

    return step
