"""Source 1's third example, in substance: the whole loop, its prints too, is a tf.function."""

import tensorflow as tf


def make_step():
    @tf.function
    def doubled(turns):
        number = tf.constant(1.0)
        for _ in range(turns):
            number = number * 2.0
            print(tf.reduce_sum(number).numpy())
        return number

    def step():
        return doubled(20)

    return step
