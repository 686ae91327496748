import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.random.stateless_normal([20, 2], [27, 1]))
    x = tf.random.stateless_normal([40, 20], [27, 2])

    @tf.function
    def train_step(batch, epoch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights)) + 0.001 * epoch
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    epoch = 0

    def step():
        nonlocal epoch
        epoch += 1
        return train_step(x, epoch)

    return step
