# refused: returns what it returned
# Scaling only the batch is cheap, but by the mean and the spread of 256 images.
import tensorflow as tf


def make_step():
    images = tf.random.stateless_uniform([20_000, 256], [0, 1])
    weights = tf.Variable(tf.zeros([256, 256]))
    number = 0

    @tf.function
    def train(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights - batch))
        weights.assign_sub(10.0 * tape.gradient(loss, weights))
        return loss

    def step():
        nonlocal number
        first = 256 * (number % 78)
        number += 1
        batch = images[first : first + 256]
        centred = batch - tf.reduce_mean(batch, axis=0)
        return train(centred / tf.math.reduce_std(batch, axis=0))

    return step
