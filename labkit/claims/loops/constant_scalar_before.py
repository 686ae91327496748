"""A step whose constant, a scalar, was made before the loop."""

import tensorflow as tf


def make_step():
    state = tf.Variable(1.0)
    constant = tf.constant(0.999)

    def step():
        return state.assign(state * constant)

    return step
