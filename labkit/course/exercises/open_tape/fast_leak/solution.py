import tensorflow as tf


def make_step():
    images = tf.random.stateless_normal([512, 256], [0, 1])
    weights = tf.Variable(tf.zeros([256, 256]))

    def step():
        with tf.GradientTape() as tape:
            made = tf.tanh(images @ weights)
            loss = tf.reduce_mean(tf.square(made - images))
        gradient = tape.gradient(loss, weights)
        weights.assign_sub(10.0 * gradient)
        return loss

    return step
