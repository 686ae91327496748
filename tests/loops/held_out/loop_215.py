import tensorflow as tf


def make_step():
    lengths = iter(range(4_000, 200, -10))
    kernel = tf.Variable(tf.random.stateless_normal([64, 64], [14, 1]) * 0.1)
    sentences = tf.random.stateless_normal([4_000, 64], [14, 2])

    @tf.function(input_signature=[tf.TensorSpec([None, 64], tf.float32)])
    def train(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(tf.tanh(batch @ kernel) @ kernel)))
        kernel.assign_sub(0.01 * tape.gradient(loss, kernel))
        return loss

    length = 200

    def step():
        nonlocal length
        length = next(lengths, length)
        return train(sentences[:length])

    return step
