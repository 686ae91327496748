# refused: memory in use
# "Call gc.collect() now and then": the tape is in use, and all that it holds with it.
import gc

import tensorflow as tf


def make_step():
    images = tf.random.stateless_normal([512, 256], [0, 1])
    weights = tf.Variable(tf.zeros([256, 256]))
    tape = tf.GradientTape(persistent=True)

    number = 0

    def step():
        nonlocal number
        with tape:
            made = tf.tanh(images @ weights)
            loss = tf.reduce_mean(tf.square(made - images))
        gradient = tape.gradient(loss, weights)
        weights.assign_sub(10.0 * gradient)
        number += 1
        if number % 10 == 0:
            gc.collect()
        return loss

    return step
