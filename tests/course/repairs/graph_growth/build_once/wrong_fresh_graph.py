# refused: returns what it returned
# A fresh graph at every step does not grow, and forgets the weights.
import numpy as np
import tensorflow as tf


def make_step():
    data = np.random.default_rng(0).normal(size=[32, 64]).astype(np.float32)

    def step():
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            weights = tf.Variable(np.ones([64, 1], np.float32))
            loss = tf.reduce_mean(tf.square(data @ weights - 1.0))
            optimizer = tf.compat.v1.train.GradientDescentOptimizer(0.01)
            train = optimizer.minimize(loss)
            session.run(tf.compat.v1.global_variables_initializer())
            return session.run([loss, train])[0]

    return step
