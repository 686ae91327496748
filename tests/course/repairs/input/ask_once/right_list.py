# All answers are fetched before the loop, and taken in turn.
import bz2
import itertools

import numpy as np
import tensorflow as tf


def stored(number):
    pixels = np.random.default_rng(number).normal(size=[256, 256]).astype(np.float32)
    return bz2.compress(pixels.tobytes())


STORE = [stored(number) for number in range(40)]


def ask(number):
    return np.frombuffer(bz2.decompress(STORE[number]), np.float32).reshape(256, 256)


def make_step():
    weights = tf.Variable(tf.zeros([256, 256]))

    def fetch(number):
        return tf.ensure_shape(tf.numpy_function(ask, [number], tf.float32), [256, 256])

    batches = itertools.cycle(list(tf.data.Dataset.range(40).map(fetch)))

    @tf.function
    def train(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights - batch))
        weights.assign_sub(10.0 * tape.gradient(loss, weights))
        return loss

    def step():
        return train(next(batches))

    return step
