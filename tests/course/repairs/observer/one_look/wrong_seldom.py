# refused: returns what it returned
# "Look every tenth step": in between the number is an old one.
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

    number, worst = 0, 0.0

    def step():
        nonlocal number, worst
        errors = train()
        if number % 10 == 0:
            worst = max(float(error) for error in errors)
        number += 1
        return worst

    return step
