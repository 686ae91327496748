# What the answer needs: the first row and the newest.
import numpy as np
import tensorflow as tf


def make_step():
    data = tf.random.stateless_normal([4096, 64], [0, 0])
    weights = tf.Variable(tf.zeros([64, 64]))
    first = None

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            outputs = data @ weights
            loss = tf.reduce_mean(tf.square(outputs - data))
        weights.assign_sub(tape.gradient(loss, weights))
        return outputs

    def step():
        nonlocal first
        newest = train().numpy()[0]
        first = newest if first is None else first
        return np.linalg.norm(newest - first)

    return step
