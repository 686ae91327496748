# refused: ops the gradients went back through
# What TensorFlow's warning makes people do: less memory, and the way back is as long.
import tensorflow as tf


def make_step():
    batches = tf.random.stateless_normal([20, 32, 16], [0, 1])
    weights = tf.Variable(tf.ones([16]))

    def training():
        total, number = 0.0, 0
        with tf.GradientTape(persistent=True) as tape:
            while True:
                batch = batches[number % 20]
                number += 1
                loss = tf.reduce_mean(tf.square(tf.linalg.matvec(batch, weights) - 1.0))
                total += loss
                with tape.stop_recording():
                    gradient = tape.gradient(total, weights) / number
                weights.assign_sub(0.1 * gradient)
                yield loss

    steps = training()

    def step():
        return next(steps)

    return step
