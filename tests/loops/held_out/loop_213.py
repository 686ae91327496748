import math

import keras
import numpy as np


def make_step():
    keras.utils.set_random_seed(12)
    model = keras.Sequential([keras.Input([12]), keras.layers.Dense(1)])
    optimizer = keras.optimizers.SGD(0.1)
    model.compile(optimizer=optimizer, loss="mse")
    x = np.random.default_rng(12).normal(size=(32, 12)).astype("float32")
    y = x[:, :1]
    losses = []
    done = 0

    def step():
        nonlocal done
        done += 1
        optimizer.learning_rate.assign(0.05 * (1 + math.cos(done / 50)))
        losses.append(float(model.train_on_batch(x, y)))
        return losses[-1]

    return step
