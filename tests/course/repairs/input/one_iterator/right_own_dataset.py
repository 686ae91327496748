# A dataset for each step, which begins at its place: dear to open, and nothing is made in vain.
import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.ones([256, 1]))
    number = 0

    def record(place):
        return tf.random.stateless_normal([256], [place, 0])

    @tf.function
    def train(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        weights.assign_sub(1e-3 * tape.gradient(loss, weights))
        return loss

    def step():
        nonlocal number
        places = tf.data.Dataset.range(20 * number, 20 * number + 20)
        batch = next(iter(places.map(record).batch(20)))
        number += 1
        return train(batch)

    return step
