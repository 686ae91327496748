"""What refers to itself piles up while Python's collector is off."""

import gc

import numpy as np
import tensorflow as tf


def before_1():
    """A search through moves, by a function within the step that calls itself."""
    gc.disable()
    policy = tf.Variable(tf.random.stateless_normal([9, 3], [4, 4]))
    random = np.random.default_rng(4)

    def step():
        values = random.random(1_000)

        def best(depth):
            return values[depth] if depth == 0 else max(values[depth], best(depth - 1))

        board = np.ones([1, 9], "float32") * np.float32(best(6))
        return tf.argmax(board @ policy, axis=1)

    return step


def after_1():
    policy = tf.Variable(tf.random.stateless_normal([9, 3], [4, 4]))
    random = np.random.default_rng(4)

    def step():
        values = random.random(1_000)

        def best(depth):
            return values[depth] if depth == 0 else max(values[depth], best(depth - 1))

        board = np.ones([1, 9], "float32") * np.float32(best(6))
        best = None
        return tf.argmax(board @ policy, axis=1)

    return step


def before_2():
    """Episodes whose first and last moments know each other."""
    gc.disable()
    critic = tf.Variable(tf.random.stateless_normal([1_000, 1], [5, 1]))
    random = np.random.default_rng(6)

    def step():
        start = {"state": random.random((1, 1_000)).astype("float32")}
        end = {"state": random.random((1, 1_000)).astype("float32"), "start": start}
        start["end"] = end
        return tf.reduce_sum((start["state"] - end["state"]) @ critic)

    return step


def after_2():
    critic = tf.Variable(tf.random.stateless_normal([1_000, 1], [5, 1]))
    random = np.random.default_rng(6)

    def step():
        start = {"state": random.random((1, 1_000)).astype("float32")}
        end = {"state": random.random((1, 1_000)).astype("float32"), "start": start}
        start["end"] = end
        value = tf.reduce_sum((start["state"] - end["state"]) @ critic)
        end["start"] = None
        return value

    return step
