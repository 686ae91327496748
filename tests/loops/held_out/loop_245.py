import numpy as np
import tensorflow as tf


def make_step():
    kernel = tf.Variable(tf.random.stateless_normal([16, 4], [45, 1]))
    x = tf.random.stateless_normal([256, 16], [45, 2])
    example_losses = []

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            losses = tf.reduce_mean(tf.square(x @ kernel), axis=1)
            loss = tf.reduce_mean(losses)
        kernel.assign_sub(0.001 * tape.gradient(loss, kernel))
        return losses

    def step():
        example_losses.extend(train().numpy().tolist())
        return np.mean(example_losses), np.std(example_losses)

    return step
