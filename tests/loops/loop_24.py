import keras
import numpy as np


def make_step():
    keras.utils.set_random_seed(3)
    model = keras.Sequential(
        [keras.Input([5]), keras.layers.Dense(12, activation="relu"), keras.layers.Dense(1)]
    )
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mae")
    random = np.random.default_rng(3)
    table = random.normal(size=(160, 5)).astype("float32")
    answers = table.max(axis=1, keepdims=True)
    sizes = random.permutation(np.arange(8, 136))
    turn = 0

    def step():
        nonlocal turn
        size = sizes[turn % len(sizes)]
        turn += 1
        return model.train_on_batch(table[:size], answers[:size])

    return step
