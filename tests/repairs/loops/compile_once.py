"""A Keras model is compiled, or made, at each step, and traced anew."""

import keras
import numpy as np


def before_1():
    """A forecast that is compiled anew for each learning rate."""
    keras.utils.set_random_seed(3)
    model = keras.Sequential([keras.Input([5]), keras.layers.Dense(12), keras.layers.Dense(1)])
    table = np.random.default_rng(3).normal(size=(32, 5)).astype("float32")
    answers = table.max(axis=1, keepdims=True)
    rate = 0.1

    def step():
        nonlocal rate
        rate *= 0.999
        model.compile(optimizer=keras.optimizers.SGD(rate), loss="mse")
        return model.train_on_batch(table, answers)

    return step


def after_1():
    keras.utils.set_random_seed(3)
    model = keras.Sequential([keras.Input([5]), keras.layers.Dense(12), keras.layers.Dense(1)])
    table = np.random.default_rng(3).normal(size=(32, 5)).astype("float32")
    answers = table.max(axis=1, keepdims=True)
    rate = 0.1
    model.compile(optimizer=keras.optimizers.SGD(rate), loss="mse")

    def step():
        nonlocal rate
        rate *= 0.999
        model.optimizer.learning_rate = rate
        return model.train_on_batch(table, answers)

    return step


def build(units):
    model = keras.Sequential([keras.Input([8]), keras.layers.Dense(units), keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    return model


def before_2():
    """A search that makes a model for every customer."""
    keras.utils.set_random_seed(5)
    random = np.random.default_rng(5)

    def step():
        visits = random.random((16, 8)).astype("float32")
        model = build(6)
        return model.train_on_batch(visits, visits[:, :1])

    return step


def after_2():
    keras.utils.set_random_seed(5)
    random = np.random.default_rng(5)
    model = build(6)
    fresh = model.get_weights()

    def step():
        visits = random.random((16, 8)).astype("float32")
        model.set_weights(fresh)
        return model.train_on_batch(visits, visits[:, :1])

    return step
