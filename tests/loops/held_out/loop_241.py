import tensorflow as tf


def make_step():
    activations = tf.Variable(tf.random.stateless_normal([2_000, 2_000], [41, 1]))
    totals = tf.Variable(tf.zeros([10]))

    @tf.function
    def train():
        totals.assign_add(tf.ones([10]))
        return tf.reduce_sum(totals)

    def step():
        train()
        values = activations.numpy()
        return float(values[0, 0])

    return step
