# refused: traces of all tf.functions
# `reduce_retracing` leaves shapes open; for a Python object there is nothing to leave open.
import tensorflow as tf


def make_step():
    data = tf.random.stateless_normal([256, 256], [0, 1])
    weights = tf.Variable(tf.zeros([256, 256]))
    number = 0

    @tf.function(reduce_retracing=True)
    def train(rate):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(data @ weights - data))
        weights.assign_sub(rate() * tape.gradient(loss, weights))
        return loss

    def step():
        nonlocal number
        number += 1
        return train(lambda: 20.0 / number)

    return step
