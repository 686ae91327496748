"""A step that makes its constant, a scalar, itself."""

import tensorflow as tf


def make_step():
    state = tf.Variable(1.0)

    def step():
        return state.assign(state * tf.constant(0.999))

    return step
