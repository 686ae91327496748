"""A tf.function is handed batches of ever another shape."""

import numpy as np
import tensorflow as tf


def before_1():
    """Sentences, each as long as it is."""
    lengths = np.random.default_rng(6)
    kernel = tf.Variable(tf.random.stateless_normal([12, 12], [6, 6]) * 0.2)

    @tf.function
    def encode(words):
        return tf.reduce_sum(tf.tanh(tf.einsum("bti,ij->btj", words, kernel)))

    def step():
        length = int(lengths.integers(2, 3_000))
        return encode(tf.ones([2, length, 12]))

    return step


def after_1():
    lengths = np.random.default_rng(6)
    kernel = tf.Variable(tf.random.stateless_normal([12, 12], [6, 6]) * 0.2)

    @tf.function(reduce_retracing=True)
    def encode(words):
        return tf.reduce_sum(tf.tanh(tf.einsum("bti,ij->btj", words, kernel)))

    def step():
        length = int(lengths.integers(2, 3_000))
        return encode(tf.ones([2, length, 12]))

    return step


def before_2():
    """A recommender whose batch has as many rows as there were clicks."""
    table = tf.Variable(tf.random.stateless_normal([400, 8], [2, 1]))
    random = np.random.default_rng(8)

    @tf.function
    def train(users, items):
        with tf.GradientTape() as tape:
            scores = tf.reduce_sum(tf.gather(table, users) * tf.gather(table, items), axis=1)
            loss = tf.reduce_mean(tf.square(scores - 1.0))
        gradient = tape.gradient(loss, table)
        table.scatter_sub(tf.IndexedSlices(0.1 * gradient.values, gradient.indices))
        return loss

    def step():
        clicks = random.integers(0, 400, size=(2, random.integers(1, 2_000)))
        return train(tf.constant(clicks[0]), tf.constant(clicks[1]))

    return step


def after_2():
    table = tf.Variable(tf.random.stateless_normal([400, 8], [2, 1]))
    random = np.random.default_rng(8)

    @tf.function(reduce_retracing=True)
    def train(users, items):
        with tf.GradientTape() as tape:
            scores = tf.reduce_sum(tf.gather(table, users) * tf.gather(table, items), axis=1)
            loss = tf.reduce_mean(tf.square(scores - 1.0))
        gradient = tape.gradient(loss, table)
        table.scatter_sub(tf.IndexedSlices(0.1 * gradient.values, gradient.indices))
        return loss

    def step():
        clicks = random.integers(0, 400, size=(2, random.integers(1, 2_000)))
        return train(tf.constant(clicks[0]), tf.constant(clicks[1]))

    return step
