# refused: returns what it returned
# The same assign op runs at each step, with the number that it was built with.
import numpy as np
import tensorflow as tf


def make_step():
    data = np.random.default_rng(0).normal(size=[512, 256]).astype(np.float32)
    graph = tf.Graph()
    with graph.as_default():
        weights, rate = tf.Variable(np.zeros([256, 256], np.float32)), tf.Variable(20.0)
        errors = tf.reduce_mean(tf.square(data @ weights - data), axis=1)
        optimizer = tf.compat.v1.train.GradientDescentOptimizer(rate)
        train = optimizer.minimize(tf.reduce_mean(errors), var_list=[weights])
        set_rate = rate.assign(20.0 * 0.95)
        first_error = errors[0]
        session = tf.compat.v1.Session()
        session.run(tf.compat.v1.global_variables_initializer())

    def step():
        session.run(set_rate)
        session.run(train)
        return session.run(first_error)

    return step
