import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.random.stateless_normal([24, 24], [24, 1]) * 0.1)
    x = tf.random.stateless_normal([16, 24], [24, 2])
    tape = tf.GradientTape(persistent=True)
    tape.__enter__()
    total = tf.constant(0.0)

    def step():
        nonlocal total
        loss = tf.reduce_mean(tf.square(tf.tanh(x @ weights)))
        total = total + loss
        with tape.stop_recording():
            gradient = tape.gradient(total, weights)
            weights.assign_sub(0.0001 * gradient)
        return loss

    return step
