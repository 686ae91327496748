import keras
import numpy as np


def make_step():
    random = np.random.default_rng(40)
    x = random.normal(size=(48, 6)).astype("float32")
    y = random.integers(0, 2, (48, 1)).astype("float32")

    def step():
        keras.backend.clear_session()
        model = keras.Sequential(
            [keras.Input([6]), keras.layers.Dense(12, activation="relu"), keras.layers.Dense(1)]
        )
        model.compile(optimizer="rmsprop", loss="binary_crossentropy")
        return model.train_on_batch(x, y)

    return step
