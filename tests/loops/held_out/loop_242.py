import sys

import numpy as np
import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.random.stateless_normal([40, 60], [42, 1]))
    np.set_printoptions(threshold=sys.maxsize)

    @tf.function
    def train():
        weights.assign_sub(0.001 * weights)
        return tf.reduce_sum(tf.square(weights))

    def step():
        loss = train()
        print("weights", weights.numpy(), "loss", loss)

    return step
