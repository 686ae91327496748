"""Source 5's second example, repaired: the body uses the variable, and adds nothing."""

import numpy as np
import tensorflow as tf


def make_step():
    tf1 = tf.compat.v1
    row = np.ones([1, 32], np.float32)

    graph = tf.Graph()
    with graph.as_default():
        weights = tf1.Variable(tf.random.normal([32, 32]))
        data = tf1.placeholder(tf.float32, [1, 32])
        result = tf.matmul(data, weights)
        initialiser = tf1.global_variables_initializer()
    session = tf1.Session(graph=graph)
    session.run(initialiser)

    def turn():
        return session.run(result, {data: row})

    return turn
