import tensorflow as tf


def make_step():
    kernel = tf.Variable(tf.random.stateless_normal([128, 128], [34, 1]) * 0.05)
    samples = tf.random.stateless_normal([20_000, 128], [34, 2])
    size = 128

    @tf.function(input_signature=[tf.TensorSpec([None, 128], tf.float32)])
    def train(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(batch @ kernel) @ kernel - batch))
        kernel.assign_sub(0.01 * tape.gradient(loss, kernel))
        return loss

    def step():
        nonlocal size
        loss = train(samples[:size])
        size = min(size + 16, 20_000)
        return loss

    return step
