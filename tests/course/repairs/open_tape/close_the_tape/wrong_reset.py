# refused: returns what it returned
# `tape.reset()` cuts the way back, and the gradients of earlier steps go with it.
import tensorflow as tf


def make_step():
    batches = tf.random.stateless_normal([20, 32, 16], [0, 1])
    weights = tf.Variable(tf.ones([16]))

    def training():
        total, number = 0.0, 0
        with tf.GradientTape(persistent=True) as tape:
            while True:
                tape.reset()
                batch = batches[number % 20]
                number += 1
                loss = tf.reduce_mean(tf.square(tf.linalg.matvec(batch, weights) - 1.0))
                total += loss
                gradient = tape.gradient(total, weights) / number
                weights.assign_sub(0.1 * gradient)
                yield loss

    steps = training()

    def step():
        return next(steps)

    return step
