"""Source 5's third example, repaired: the function computes what it returns."""

import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.random.normal([32, 32]))
    bias = tf.Variable(tf.zeros([32]))

    @tf.function
    def layer(weights, bias):
        return tf.matmul(tf.ones([1, 32]), weights) + bias

    def turn():
        return layer(weights, bias)

    return turn
