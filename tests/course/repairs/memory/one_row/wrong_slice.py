# refused: memory in use
# "A slice is a copy": of a list it is, of an array it is a view of a view.
import numpy as np
import tensorflow as tf


def make_step():
    data = tf.random.stateless_normal([4096, 64], [0, 0])
    weights = tf.Variable(tf.zeros([64, 64]))
    watched = []

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            outputs = data @ weights
            loss = tf.reduce_mean(tf.square(outputs - data))
        weights.assign_sub(tape.gradient(loss, weights))
        return outputs

    def step():
        outputs = train().numpy()
        watched.append(outputs[0][:])
        return np.linalg.norm(watched[-1] - watched[0])

    return step
