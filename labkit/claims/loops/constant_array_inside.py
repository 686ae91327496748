"""A step that makes its constant, an array of 4 MB, itself."""

import numpy as np
import tensorflow as tf


def make_step():
    numbers = np.ones([1024, 1024], np.float32)
    state = tf.Variable(tf.ones([1024, 1024]))

    def step():
        return state.assign(state * tf.constant(numbers))

    return step
