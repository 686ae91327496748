import keras
import numpy as np


def make_step():
    x = np.random.default_rng(39).normal(size=(32, 8)).astype("float32")
    y = x[:, :1]
    units = 8

    def step():
        nonlocal units
        units = 8 + (units + 1) % 16
        model = keras.Sequential(
            [keras.Input([8]), keras.layers.Dense(units, activation="relu"), keras.layers.Dense(1)]
        )
        model.compile(optimizer="adam", loss="mse")
        return model.train_on_batch(x, y)

    return step
