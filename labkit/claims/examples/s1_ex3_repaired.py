"""Source 1's third example, repaired: a loop within TensorFlow, and a print that runs there."""

import tensorflow as tf


def make_step():
    turns = tf.constant(20)

    @tf.function
    def doubled(turns):
        number = tf.constant(1.0)
        for _ in tf.range(turns):
            number = number * 2.0
            tf.print(tf.reduce_sum(number))
        return number

    def step():
        return doubled(turns)

    return step
