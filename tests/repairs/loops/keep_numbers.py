"""Tensors are kept of which only a number is used."""

import keras
import numpy as np
import tensorflow as tf


def before_1():
    """A regression that notes its losses, as tensors."""
    weights = tf.Variable(tf.zeros([8, 1]))
    batch = tf.random.stateless_normal([64, 8], [1, 1])
    losses = []

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        losses.append(loss)

    return step


def after_1():
    weights = tf.Variable(tf.zeros([8, 1]))
    batch = tf.random.stateless_normal([64, 8], [1, 1])
    losses = []

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        losses.append(float(loss))

    return step


class Metrics:
    def __init__(self):
        self.errors = []

    def add(self, error):
        self.errors.append(error)


def before_2():
    """A small classifier whose metrics are kept by an object, an error for each batch."""
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input([8]), keras.layers.Dense(4)])
    rows = np.random.default_rng(1).random((32, 8)).astype("float32")
    metrics = Metrics()

    def step():
        logits = model(rows)
        error = tf.reduce_mean(tf.square(logits - 1.0))
        metrics.add(error)
        return error

    return step


class MetricsOfNumbers:
    def __init__(self):
        self.errors = []

    def add(self, error):
        self.errors.append(float(error))


def after_2():
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input([8]), keras.layers.Dense(4)])
    rows = np.random.default_rng(1).random((32, 8)).astype("float32")
    metrics = MetricsOfNumbers()

    def step():
        logits = model(rows)
        error = tf.reduce_mean(tf.square(logits - 1.0))
        metrics.add(error)
        return error

    return step
