import tensorflow as tf


def make_step():
    embedding = tf.Variable(tf.random.stateless_normal([12], [1, 8]))
    tape = tf.GradientTape(persistent=True)

    def step():
        with tape:
            distance = tf.reduce_mean(tf.square(tf.tanh(embedding) - 0.25))
        gradient = tape.gradient(distance, embedding)
        embedding.assign_sub(0.05 * gradient)
        return distance

    return step
