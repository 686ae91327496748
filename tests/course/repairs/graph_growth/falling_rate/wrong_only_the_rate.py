# refused: ops in the graph
# The rate is fed, as it should be; but an index looks like Python's and is an op.
import numpy as np
import tensorflow as tf


def make_step():
    data = np.random.default_rng(0).normal(size=[512, 256]).astype(np.float32)
    number = 0
    graph = tf.Graph()
    with graph.as_default():
        weights, rate = tf.Variable(np.zeros([256, 256], np.float32)), tf.Variable(20.0)
        errors = tf.reduce_mean(tf.square(data @ weights - data), axis=1)
        optimizer = tf.compat.v1.train.GradientDescentOptimizer(rate)
        train = optimizer.minimize(tf.reduce_mean(errors), var_list=[weights])
        new_rate = tf.compat.v1.placeholder(tf.float32, [])
        set_rate = rate.assign(new_rate)
        session = tf.compat.v1.Session()
        session.run(tf.compat.v1.global_variables_initializer())

    def step():
        nonlocal number
        number += 1
        with graph.as_default():
            session.run(set_rate, {new_rate: 20.0 * 0.95**number})
            session.run(train)
            return session.run(errors[0])

    return step
