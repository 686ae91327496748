# A mean and a sum of squared deviations, merged with those of the new losses (Chan et al. 1979).
import numpy as np
import tensorflow as tf


def make_step():
    examples = tf.random.stateless_normal([32_768, 16], [0, 0])
    weights = tf.Variable(tf.ones([16, 1]))
    count, mean, squares = 0, 0.0, 0.0

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            losses = tf.square(examples @ weights - 1.0)
            loss = tf.reduce_mean(losses)
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return losses

    def step():
        nonlocal count, mean, squares
        losses = train().numpy().astype(np.float64)
        both = count + losses.size
        apart = losses.mean() - mean
        squares += losses.var() * losses.size + apart**2 * count * losses.size / both
        mean += apart * losses.size / both
        count = both
        return np.sqrt(squares / count)

    return step
