"""XLA compiles a function anew for every shape that it is handed."""

import math

import numpy as np
import tensorflow as tf


def before_1():
    """A compiled attention, on as many words as a sentence has."""
    random = np.random.default_rng(4)
    scores = tf.random.stateless_uniform([2_000, 24], [4, 4])

    @tf.function(jit_compile=True, input_signature=[tf.TensorSpec([None, 24], tf.float32)])
    def attention(words):
        weights = tf.nn.softmax(words, axis=-1)
        return tf.reduce_mean(weights * words)

    def step():
        words = scores[: random.integers(2, 640)]
        return attention(words)

    return step


def after_1():
    random = np.random.default_rng(4)
    scores = tf.random.stateless_uniform([2_000, 24], [4, 4])

    @tf.function(jit_compile=True, input_signature=[tf.TensorSpec([None, 24], tf.float32)])
    def attention(words):
        weights = tf.nn.softmax(words, axis=-1)
        return tf.reduce_mean(weights * words)

    def step():
        words = scores[: random.integers(2, 640)]
        size = 64 * math.ceil(len(words) / 64)
        words = tf.pad(words, [[0, size - len(words)], [0, 0]])
        return attention(words)

    return step


def before_2():
    """A compiled regression on the sales of a day, many or few."""
    random = np.random.default_rng(5)
    table = tf.random.stateless_normal([640, 8], [5, 5])
    weights = tf.Variable(tf.zeros([8, 1]))

    @tf.function(jit_compile=True)
    def train(sales):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(sales @ weights - 1.0))
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    def step():
        sales = table[: random.integers(1, 640)]
        return train(sales)

    return step


def after_2():
    random = np.random.default_rng(5)
    table = tf.random.stateless_normal([640, 8], [5, 5])
    weights = tf.Variable(tf.zeros([8, 1]))

    @tf.function(jit_compile=True)
    def train(sales):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(sales @ weights - 1.0))
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    def step():
        sales = table[: random.integers(1, 640)]
        size = 64 * math.ceil(len(sales) / 64)
        sales = tf.pad(sales, [[0, size - len(sales)], [0, 0]])
        return train(sales)

    return step
