# refused: returns what it returned
# "Limit the history": a deque of the newest is flat, and forgets what the answer needs.
from collections import deque

import numpy as np
import tensorflow as tf


def make_step():
    examples = tf.random.stateless_normal([32_768, 16], [0, 0])
    weights = tf.Variable(tf.ones([16, 1]))
    history = deque(maxlen=10)

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            losses = tf.square(examples @ weights - 1.0)
            loss = tf.reduce_mean(losses)
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return losses

    def step():
        history.append(train().numpy())
        return np.concatenate(history).std()

    return step
