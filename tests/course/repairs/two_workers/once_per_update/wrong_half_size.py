# refused: of the time it took
# "Send half the bytes": each message is smaller, and there are as many of them.
import time

import tensorflow as tf


def exchange(one, other):
    time.sleep(0.006)  # the network: a message takes this long, be it large or small
    return one + other


def make_step():
    weights = tf.Variable(tf.ones([64, 1]))  # the same in both workers
    pieces = tf.random.stateless_normal([2, 8, 16, 64], [0, 0])
    first, second = (tf.unstack(batch) for batch in tf.unstack(pieces))

    @tf.function
    def gradient_of(piece):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(piece @ weights - 1.0))
        return tape.gradient(loss, weights)

    def step():
        total = tf.zeros_like(weights)
        for one, other in zip(first, second, strict=True):
            mine, theirs = (tf.cast(gradient_of(piece), tf.bfloat16) for piece in (one, other))
            total += tf.cast(exchange(mine, theirs), tf.float32)
        weights.assign_sub(0.001 * total)
        return tf.norm(total)

    return step
