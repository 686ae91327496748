import tensorflow as tf


def make_step():
    data = tf.random.stateless_normal([2048, 128], [0, 0])
    weights = tf.Variable(tf.zeros([128, 128]))
    outputs, rate = [], 20.0

    @tf.function
    def train(rate):
        with tf.GradientTape() as tape:
            made = data @ weights
            loss = tf.reduce_mean(tf.square(made - data))
        weights.assign_sub(rate * tape.gradient(loss, weights))
        return made

    def step():
        nonlocal rate
        rate *= 0.99
        outputs.append(train(rate))
        return tf.norm(outputs[-1] - outputs[0])

    return step
