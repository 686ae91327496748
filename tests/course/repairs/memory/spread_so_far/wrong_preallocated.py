# refused: memory in use
# "Reserve the array once": nothing is copied any more, and all of it is still gone through.
import numpy as np
import tensorflow as tf


def make_step():
    examples = tf.random.stateless_normal([32_768, 16], [0, 0])
    weights = tf.Variable(tf.ones([16, 1]))
    history = np.zeros(200 * 32_768, np.float32)
    count = 0

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            losses = tf.square(examples @ weights - 1.0)
            loss = tf.reduce_mean(losses)
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return losses

    def step():
        nonlocal count
        losses = train().numpy().ravel()
        history[count : count + losses.size] = losses
        count += losses.size
        return history[:count].std()

    return step
