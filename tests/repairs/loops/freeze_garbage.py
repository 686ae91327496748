"""Python looks through all its objects for garbage again and again."""

import gc

import numpy as np
import tensorflow as tf


def before_1():
    """A network of which each step collects garbage by hand."""
    weights = tf.Variable(tf.random.stateless_normal([16, 16], [9, 9]))

    def step():
        loss = tf.reduce_sum(weights @ weights)
        gc.collect()
        return loss

    return step


def after_1():
    weights = tf.Variable(tf.random.stateless_normal([16, 16], [9, 9]))
    gc.collect()
    gc.freeze()

    def step():
        return tf.reduce_sum(weights @ weights)

    return step


def before_2():
    """A detector whose loader frees each batch by hand, after it was used."""
    kernel = tf.Variable(tf.random.stateless_normal([32, 4], [2, 2]))
    random = np.random.default_rng(2)

    def load():
        while True:
            batch = random.random((64, 32)).astype("float32")
            yield batch
            del batch
            gc.collect()

    batches = load()
    return lambda: tf.nn.softmax(next(batches) @ kernel)


def after_2():
    kernel = tf.Variable(tf.random.stateless_normal([32, 4], [2, 2]))
    random = np.random.default_rng(2)
    gc.collect()
    gc.freeze()

    def load():
        while True:
            batch = random.random((64, 32)).astype("float32")
            yield batch
            del batch

    batches = load()
    return lambda: tf.nn.softmax(next(batches) @ kernel)
