# refused: returns what it returned
# A tape for each step, as everybody says; but the gradients of earlier steps are forgotten.
import tensorflow as tf


def make_step():
    batches = tf.random.stateless_normal([20, 32, 16], [0, 1])
    weights = tf.Variable(tf.ones([16]))

    def training():
        number = 0
        while True:
            batch = batches[number % 20]
            number += 1
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(tf.linalg.matvec(batch, weights) - 1.0))
            gradient = tape.gradient(loss, weights) / number
            weights.assign_sub(0.1 * gradient)
            yield loss

    steps = training()

    def step():
        return next(steps)

    return step
