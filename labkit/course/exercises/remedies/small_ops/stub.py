import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.random.stateless_normal([512], [0, 0]))

    def smooth(values):
        for _ in range(30):
            values = 0.9 * values + 0.1 * tf.roll(values, 1, axis=0)
        return values

    def step():
        weights.assign(smooth(weights))
        return tf.reduce_sum(tf.square(weights))

    return step
