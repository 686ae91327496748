# refused: of the time it took
# "Put it into a tf.function": the graph does all of the work at every step as well.
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

    @tf.function
    def scale():
        centred = images - tf.reduce_mean(images, axis=0)
        return centred / tf.math.reduce_std(images, axis=0)

    def step():
        nonlocal number
        scaled = scale()
        first = 256 * (number % 78)
        number += 1
        return train(scaled[first : first + 256])

    return step
