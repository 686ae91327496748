"""Source 1's first example, in substance: an eager loop doubles a number and prints it."""

import tensorflow as tf


def make_step():
    number = tf.constant(1.0)

    def step():
        nonlocal number
        number = number * 2.0
        print(tf.reduce_sum(number).numpy())

    return step
