# refused: returns what it returned
# As accumulation is often posted: one exchange, and the gradients of the last piece alone.
import bz2

import numpy as np
import tensorflow as tf


def exchange(one, other):
    message = bz2.compress(one.numpy().tobytes())  # as it goes over the network
    return np.frombuffer(bz2.decompress(message), np.float32).reshape(one.shape) + other


def make_step():
    weights = tf.Variable(tf.random.stateless_normal([64, 256], [0, 1]))  # the same in both workers
    pieces = tf.random.stateless_normal([2, 8, 16, 64], [0, 0])
    first, second = (tf.unstack(batch) for batch in tf.unstack(pieces))

    @tf.function
    def gradient_of(piece):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(piece @ weights - 1.0))
        return tape.gradient(loss, weights)

    def step():
        for one, other in zip(first, second, strict=True):
            mine, theirs = gradient_of(one), gradient_of(other)
        total = exchange(mine, theirs)
        weights.assign_sub(0.001 * total)
        return tf.norm(total)

    return step
