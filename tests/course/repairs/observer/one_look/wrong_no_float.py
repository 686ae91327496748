# refused: of the time it took
# "Never call float() in the loop, it waits": the slices remain, and there are more ops than before.
import tensorflow as tf


def make_step():
    inputs = tf.random.stateless_normal([256, 512], [0, 0])
    weights = tf.Variable(tf.zeros([512, 512]))

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            errors = tf.reduce_mean(tf.square(inputs @ weights - inputs), axis=1)
            loss = tf.reduce_mean(errors)
        weights.assign_sub(10.0 * tape.gradient(loss, weights))
        return errors

    def step():
        worst = tf.constant(0.0)
        for error in train():
            worst = tf.maximum(worst, error)
        return float(worst)

    return step
