"""Source 1's third example, in substance: a compiled function that asks a tensor for its number."""

import tensorflow as tf


def make_step():
    @tf.function
    def halved(turns):
        value = tf.constant(1.0)
        for _ in range(turns):
            value = value * 0.5
            print(tf.reduce_sum(value).numpy())
        return value

    def step():
        return halved(10)

    return step
