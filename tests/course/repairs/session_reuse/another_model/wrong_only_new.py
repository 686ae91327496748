# refused: free of
# Only the new variables are initialised: one of two faults is mended, and the graph still grows.
import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def make_step():
    data = np.random.default_rng(0).normal(size=[32, 16]).astype(np.float32)
    graph, width = tf.Graph(), 8

    def step():
        nonlocal width
        width += 1
        random = np.random.default_rng(width)
        shapes = [16, width], [width, 1]
        with graph.as_default(), tf1.Session() as session:
            x = tf.constant(data)
            made = []
            for shape in shapes:
                weights = tf.Variable(random.normal(size=shape).astype(np.float32))
                made.append(weights)
                x = tf.nn.relu(x @ weights)
            session.run(tf1.variables_initializer(made))
            return session.run(tf.reduce_mean(x))

    return step
