# No graph and no session: what a turn makes goes when the turn is over.
import numpy as np
import tensorflow as tf


def make_step():
    data = np.random.default_rng(0).normal(size=[32, 16]).astype(np.float32)
    width = 8

    def step():
        nonlocal width
        width += 1
        random = np.random.default_rng(width)
        x = tf.constant(data)
        for shape in [16, width], [width, 1]:
            weights = tf.Variable(random.normal(size=shape).astype(np.float32))
            x = tf.nn.relu(x @ weights)
        return tf.reduce_mean(x)

    return step
