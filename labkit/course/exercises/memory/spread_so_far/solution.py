import numpy as np
import tensorflow as tf


def make_step():
    examples = tf.random.stateless_normal([32_768, 16], [0, 0])
    weights = tf.Variable(tf.ones([16, 1]))
    count, total, squares = 0, 0.0, 0.0

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            losses = tf.square(examples @ weights - 1.0)
            loss = tf.reduce_mean(losses)
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return losses

    def step():
        nonlocal count, total, squares
        losses = train().numpy().astype(np.float64)
        count += losses.size
        total += losses.sum()
        squares += np.square(losses).sum()
        return np.sqrt(squares / count - (total / count) ** 2)

    return step
