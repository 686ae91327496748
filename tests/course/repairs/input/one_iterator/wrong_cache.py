# refused: steps do not get longer
# "cache() keeps what was made": only once all of it was read to the end, which no step does.
import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.ones([256, 1]))
    number = 0

    def record(place):
        return tf.random.stateless_normal([256], [place, 0])

    batches = tf.data.Dataset.range(4_000).map(record).batch(20).cache()

    @tf.function
    def train(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        weights.assign_sub(1e-3 * tape.gradient(loss, weights))
        return loss

    def step():
        nonlocal number
        batch = next(iter(batches.skip(number)))
        number += 1
        return train(batch)

    return step
