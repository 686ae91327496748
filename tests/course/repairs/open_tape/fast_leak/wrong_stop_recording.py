# refused: memory in use
# The gradient is not recorded, as it was not before; the ops of the loss still are.
import tensorflow as tf


def make_step():
    images = tf.random.stateless_normal([512, 256], [0, 1])
    weights = tf.Variable(tf.zeros([256, 256]))
    tape = tf.GradientTape(persistent=True)

    def step():
        with tape:
            made = tf.tanh(images @ weights)
            loss = tf.reduce_mean(tf.square(made - images))
            with tape.stop_recording():
                gradient = tape.gradient(loss, weights)
        weights.assign_sub(10.0 * gradient)
        return loss

    return step
