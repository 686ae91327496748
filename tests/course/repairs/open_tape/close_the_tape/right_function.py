# The sum of the gradients is a variable, and the tape is closed within a tf.function.
import tensorflow as tf


def make_step():
    batches = tf.random.stateless_normal([20, 32, 16], [0, 1])
    weights = tf.Variable(tf.ones([16]))

    def training():
        total = tf.Variable(tf.zeros([16]))

        @tf.function
        def train(batch, number):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(tf.linalg.matvec(batch, weights) - 1.0))
            total.assign_add(tape.gradient(loss, weights))
            weights.assign_sub(0.1 * total / number)
            return loss

        number = 0
        while True:
            batch = batches[number % 20]
            number += 1
            yield train(batch, tf.constant(number, tf.float32))

    steps = training()

    def step():
        return next(steps)

    return step
