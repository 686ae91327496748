# refused: memory in use
# "Stay in TensorFlow": all is kept as tensors, joined, and gone through at each step as before.
import tensorflow as tf


def make_step():
    examples = tf.random.stateless_normal([32_768, 16], [0, 0])
    weights = tf.Variable(tf.ones([16, 1]))
    history = []

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            losses = tf.square(examples @ weights - 1.0)
            loss = tf.reduce_mean(losses)
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return losses

    def step():
        history.append(train())
        return tf.math.reduce_std(tf.concat(history, axis=0))

    return step
