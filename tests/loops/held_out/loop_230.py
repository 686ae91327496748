import itertools

import tensorflow as tf


def make_step():
    dataset = tf.data.Dataset.range(1_000_000).map(lambda n: tf.fill([8], tf.cast(n, tf.float32)))
    weights = tf.Variable(tf.ones([8]))
    number = 0

    def step():
        nonlocal number
        batch = next(itertools.islice(dataset, number * 10, None))
        number += 1
        weights.assign_sub(1e-6 * batch)
        return tf.reduce_sum(weights)

    return step
