"""Source 1's eager loop, in substance: two numbers are multiplied and added, step after step."""

import tensorflow as tf


def make_step():
    total = tf.constant(0.0)

    def step():
        nonlocal total
        total = total + tf.multiply(tf.constant(2.0), tf.constant(3.0))
        return total

    return step
