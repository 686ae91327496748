import tensorflow as tf


def make_step():
    batches = tf.random.stateless_normal([20, 256, 64], [0, 1])
    weights = tf.Variable(tf.eye(64))
    total = tf.Variable(0.0)
    number = 0

    @tf.function
    def train(batch):
        with tf.GradientTape() as tape:
            made = batch
            for _ in range(10):
                made = tf.tanh(made @ weights)
            loss = tf.reduce_mean(tf.square(made - batch))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return total.assign_add(loss)

    def step():
        nonlocal number
        if number % 20 == 0:
            total.assign(0.0)
        number += 1
        return train(batches[number % 20])

    return step
