import tensorflow as tf


def make_step():
    layers = [tf.Variable(tf.random.stateless_normal([10, 10], [n, 1]) * 0.3) for n in range(40)]
    inputs = tf.random.stateless_normal([6, 10], [0, 0])

    @tf.function
    def train(hidden):
        with tf.GradientTape() as tape:
            for layer in layers:
                hidden = hidden + tf.nn.gelu(hidden @ layer)
            loss = tf.reduce_mean(tf.square(hidden))
        for layer, gradient in zip(layers, tape.gradient(loss, layers), strict=True):
            layer.assign_sub(0.0001 * gradient)
        return loss

    def step():
        return train(inputs)

    return step
