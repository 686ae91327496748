import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def make_step():
    data = np.random.default_rng(0).normal(size=[32, 16]).astype(np.float32)
    width = 8

    def step():
        nonlocal width
        width += 1
        random = np.random.default_rng(width)
        shapes = [16, width], [width, 1]
        with tf.Graph().as_default(), tf1.Session() as session:
            x = tf.constant(data)
            for shape in shapes:
                weights = tf.Variable(random.normal(size=shape).astype(np.float32))
                x = tf.nn.relu(x @ weights)
            session.run(tf1.global_variables_initializer())
            return session.run(tf.reduce_mean(x))

    return step
