"""A large array of NumPy's is copied into TensorFlow at each step."""

import numpy as np
import tensorflow as tf


def before_1():
    """A table of which each step takes some rows, converted whole."""
    table = np.random.default_rng(1).random((60_000, 64)).astype("float32")
    random = np.random.default_rng(2)
    kernel = tf.Variable(tf.random.stateless_normal([64, 4], [2, 2]))

    def step():
        rows = random.integers(0, 60_000, 32)
        batch = tf.gather(tf.constant(table), rows)
        return tf.reduce_mean(batch @ kernel)

    return step


def after_1():
    table = np.random.default_rng(1).random((60_000, 64)).astype("float32")
    random = np.random.default_rng(2)
    kernel = tf.Variable(tf.random.stateless_normal([64, 4], [2, 2]))
    data = tf.constant(table)

    def step():
        rows = random.integers(0, 60_000, 32)
        batch = tf.gather(data, rows)
        return tf.reduce_mean(batch @ kernel)

    return step


def before_2():
    """A graph whose neighbours are looked up in a matrix of NumPy's."""
    apart = np.random.default_rng(3).random((1_500, 1_500)).astype("float32")
    node = 0

    def step():
        nonlocal node
        node = (node + 1) % 1_500
        row = tf.convert_to_tensor(apart)[node]
        return tf.math.top_k(-row, k=5).indices

    return step


def after_2():
    apart = np.random.default_rng(3).random((1_500, 1_500)).astype("float32")
    node = 0
    data = tf.constant(apart)

    def step():
        nonlocal node
        node = (node + 1) % 1_500
        row = tf.gather(data, node)
        return tf.math.top_k(-row, k=5).indices

    return step
