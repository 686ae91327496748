# refused: of the time it took
# "Compile with XLA": the computing was not what is dear.
import time

import tensorflow as tf


def exchange(one, other):
    time.sleep(0.006)  # the network: a message takes this long, be it large or small
    return one + other


def make_step():
    weights = tf.Variable(tf.ones([64, 1]))  # the same in both workers
    pieces = tf.random.stateless_normal([2, 8, 16, 64], [0, 0])
    first, second = (tf.unstack(batch) for batch in tf.unstack(pieces))

    @tf.function(jit_compile=True)
    def gradient_of(piece):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(piece @ weights - 1.0))
        return tape.gradient(loss, weights)

    def step():
        total = tf.zeros_like(weights)
        for one, other in zip(first, second, strict=True):
            total += exchange(gradient_of(one), gradient_of(other))
        weights.assign_sub(0.001 * total)
        return tf.norm(total)

    return step
