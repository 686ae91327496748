import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.ones([5, 1]))
    batch = tf.random.stateless_normal([12, 5], [2, 5])

    @tf.function
    def train(batch, number):
        rate = 0.1 / tf.sqrt(1.0 + tf.cast(number, tf.float32))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        weights.assign_sub(rate * tape.gradient(loss, weights))
        return loss

    number = 0

    def step():
        nonlocal number
        number += 1
        return train(batch, tf.constant(number))

    return step
