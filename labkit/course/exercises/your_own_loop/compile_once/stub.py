import keras
import numpy as np


def make_step():
    keras.utils.set_random_seed(0)
    rows = np.random.default_rng(0).normal(size=[32, 8]).astype(np.float32)
    sums = rows.sum(axis=1, keepdims=True)
    model = keras.Sequential([keras.Input([8]), keras.layers.Dense(1)])
    rate = 0.1

    def step():
        nonlocal rate
        rate *= 0.97
        model.compile(optimizer=keras.optimizers.SGD(rate), loss="mse", jit_compile=False)
        model.train_on_batch(rows, sums)
        return model.get_weights()[0].sum()

    return step
