import numpy as np
import tensorflow as tf


def make_step():
    random = np.random.default_rng(46)
    table = random.normal(size=(64, 8)).astype("float32")
    weights = tf.Variable(tf.ones([8]))

    def rows():
        yield from table

    def step():
        epoch = tf.data.Dataset.from_generator(
            rows, output_signature=tf.TensorSpec([8], tf.float32)
        ).batch(16)
        for batch in epoch:
            weights.assign_sub(1e-4 * tf.reduce_mean(batch, axis=0))
        return tf.reduce_sum(weights)

    return step
