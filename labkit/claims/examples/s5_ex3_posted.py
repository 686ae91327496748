"""Source 5's third example, in substance: a tf.function that returns what nobody defined."""

import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.random.normal([32, 32]))
    bias = tf.Variable(tf.zeros([32]))

    @tf.function
    def layer(weights, bias):
        # The post leaves the work out, and with it the line that says what the result is.
        return result  # noqa: F821

    def turn():
        return layer(weights, bias)

    return turn
