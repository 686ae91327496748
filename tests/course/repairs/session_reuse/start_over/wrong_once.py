# refused: returns what it returned
# Initialised once, as the usual advice has it: each turn goes on where the last one ended.
import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def make_step():
    data = np.random.default_rng(0).normal(size=[32, 16]).astype(np.float32)
    graph, rate = tf.Graph(), 0.0
    with graph.as_default():
        given = tf1.placeholder(tf.float32, [])
        weights = tf.Variable(np.ones([16, 1], np.float32))
        loss = tf.reduce_mean(tf.square(data @ weights - 1.0))
        train = tf1.train.GradientDescentOptimizer(given).minimize(loss)
        first = tf1.global_variables_initializer()
        session = tf1.Session()
        session.run(first)

    def step():
        nonlocal rate
        rate += 0.001
        for _ in range(3):
            session.run(train, {given: rate})
        return session.run(loss)

    return step
