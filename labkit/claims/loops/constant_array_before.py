"""A step whose constant, an array of 4 MB, was made before the loop."""

import numpy as np
import tensorflow as tf


def make_step():
    numbers = np.ones([1024, 1024], np.float32)
    state = tf.Variable(tf.ones([1024, 1024]))
    constant = tf.constant(numbers)

    def step():
        return state.assign(state * constant)

    return step
