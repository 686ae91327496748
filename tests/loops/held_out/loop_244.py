import tensorflow as tf

cache = {}


def features(number, rows, kernel):
    if number not in cache:
        cache[number] = tf.nn.relu(rows @ kernel)
    return cache[number]


def make_step():
    kernel = tf.random.stateless_normal([32, 64], [44, 1])
    output = tf.Variable(tf.random.stateless_normal([64, 1], [44, 2]))
    rows = tf.random.stateless_normal([64, 32], [44, 3])
    number = 0

    def step():
        nonlocal number
        number += 1
        hidden = features(number, rows, kernel)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(hidden @ output))
        output.assign_sub(0.001 * tape.gradient(loss, output))
        return loss

    return step
