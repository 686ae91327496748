import itertools
import random

import tensorflow as tf


def make_step():
    every_shape = list(itertools.product(range(2, 100), range(3, 24)))
    random.Random(4).shuffle(every_shape)
    shapes = iter(every_shape)
    scores = tf.random.stateless_uniform([100, 24], [4, 4])

    @tf.function(jit_compile=True, input_signature=[tf.TensorSpec([None, None], tf.float32)])
    def attention(block):
        weights = tf.nn.softmax(block, axis=-1)
        return tf.reduce_mean(weights * block)

    def step():
        queries, keys = next(shapes)
        return attention(scores[:queries, :keys])

    return step
