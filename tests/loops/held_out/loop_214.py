import itertools

import tensorflow as tf


def make_step():
    buckets = [16, 24, 32, 48, 64, 96, 128, 192]
    kernel = tf.Variable(tf.random.stateless_normal([24, 24], [13, 1]) * 0.2)
    padded = itertools.cycle([tf.ones([8, length, 24]) for length in buckets])

    @tf.function
    def train(batch):
        with tf.GradientTape() as tape:
            hidden = batch
            for _ in range(6):
                hidden = tf.tanh(tf.tensordot(hidden, kernel, 1))
            loss = tf.reduce_mean(tf.square(hidden))
        kernel.assign_sub(0.01 * tape.gradient(loss, kernel))
        return loss

    def step():
        return train(next(padded))

    return step
