# refused: returns what it returned
# Without skip() it is quick, and trains on the first batch for ever.
import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.ones([256, 1]))

    def record(place):
        return tf.random.stateless_normal([256], [place, 0])

    batches = tf.data.Dataset.range(4_000).map(record).batch(20)

    @tf.function
    def train(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        weights.assign_sub(1e-3 * tape.gradient(loss, weights))
        return loss

    def step():
        batch = next(iter(batches))
        return train(batch)

    return step
