"""Source 1's second example, in substance: the same loop, its constants made beforehand."""

from itertools import cycle

import tensorflow as tf


def make_step():
    number = tf.constant(1.0)
    factors = cycle([tf.constant(2.0) for _ in range(100)])

    def step():
        nonlocal number
        number = number * next(factors)
        print(tf.reduce_sum(number).numpy())

    return step
