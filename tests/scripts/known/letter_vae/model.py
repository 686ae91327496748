"""The network of the autoencoder, and its loss."""

import tensorflow.compat.v1 as tf

PIXELS = 28 * 28


def dense(inputs, width, name):
    with tf.variable_scope(name):
        size = int(inputs.shape[1])
        start = tf.glorot_uniform_initializer(seed=width)
        kernel = tf.get_variable("kernel", [size, width], initializer=start)
        bias = tf.get_variable("bias", [width], initializer=tf.zeros_initializer())
        return tf.matmul(inputs, kernel) + bias


class Autoencoder:
    """Squeezes a letter into a few numbers and draws it again."""

    def __init__(self, hidden, code, rate):
        self.letters = tf.placeholder(tf.float32, [None, PIXELS], name="letters")
        encoded = tf.nn.relu(dense(self.letters, hidden, "encoder"))
        mean = dense(encoded, code, "mean")
        spread = dense(encoded, code, "spread")
        noise = tf.random_normal(tf.shape(mean), seed=5)
        drawn = mean + tf.exp(0.5 * spread) * noise
        decoded = tf.nn.relu(dense(drawn, hidden, "decoder"))
        logits = dense(decoded, PIXELS, "pixels")
        difference = tf.nn.sigmoid_cross_entropy_with_logits(labels=self.letters, logits=logits)
        self.error = tf.reduce_mean(tf.reduce_sum(difference, axis=1))
        divergence = tf.square(mean) + tf.exp(spread) - spread - 1.0
        self.divergence = 0.5 * tf.reduce_mean(tf.reduce_sum(divergence, axis=1))
        self.loss = self.error + self.divergence
        self.train = tf.train.AdamOptimizer(rate).minimize(self.loss)
