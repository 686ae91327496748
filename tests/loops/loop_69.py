import gc

import tensorflow as tf


def make_step():
    samples = []
    weights = tf.Variable(tf.random.stateless_normal([16, 16], [9, 9]))

    def step():
        number = len(samples)
        samples.extend({"id": number + row, "boxes": [row]} for row in range(4000))
        loss = tf.reduce_sum(weights @ weights)
        gc.collect()
        return loss

    return step
