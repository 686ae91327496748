import tensorflow as tf


class MemoryBank:
    def __init__(self, width):
        self.features = tf.zeros([0, width])

    def add(self, features):
        self.features = tf.concat([self.features, features], axis=0)


def make_step():
    bank = MemoryBank(64)
    encoder = tf.Variable(tf.random.stateless_normal([24, 64], [22, 1]))
    images = tf.random.stateless_normal([48, 24], [22, 2])

    def step():
        features = tf.math.l2_normalize(images @ encoder, axis=1)
        bank.add(features)
        similarity = tf.matmul(features, bank.features, transpose_b=True)
        return tf.reduce_max(similarity)

    return step
