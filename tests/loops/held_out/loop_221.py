import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.random.stateless_normal([10, 1], [21, 1]))
    x = tf.random.stateless_normal([32, 10], [21, 2])
    losses = []

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ weights))
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    def step():
        losses.append(train())
        return tf.reduce_mean(tf.stack(losses))

    return step
