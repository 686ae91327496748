import tensorflow as tf


def make_step():
    images = tf.random.stateless_uniform([20_000, 256], [0, 1])
    weights = tf.Variable(tf.zeros([256, 256]))
    centred = images - tf.reduce_mean(images, axis=0)
    scaled = centred / tf.math.reduce_std(images, axis=0)
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
        return train(scaled[first : first + 256])

    return step
