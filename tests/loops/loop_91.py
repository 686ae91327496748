import numpy as np
import tensorflow as tf


def make_step():
    lengths = np.random.default_rng(6)
    kernel = tf.Variable(tf.random.stateless_normal([12, 12], [6, 6]) * 0.2)

    @tf.function(input_signature=[tf.TensorSpec([None, None, 12], tf.float32)])
    def encode(words):
        for _ in range(15):
            words = tf.tanh(tf.einsum("bti,ij->btj", words, kernel))
        return tf.reduce_sum(words)

    def step():
        length = int(lengths.integers(2, 50))
        sentences = max(1, 96 // length)
        return encode(tf.ones([sentences, length, 12]))

    return step
