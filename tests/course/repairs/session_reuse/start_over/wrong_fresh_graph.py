# refused: sessions opened
# A graph of its own for each turn: dear and flat, where nothing but a number changes.
import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def make_step():
    data = np.random.default_rng(0).normal(size=[32, 16]).astype(np.float32)
    rate = 0.0

    def step():
        nonlocal rate
        rate += 0.001
        with tf.Graph().as_default(), tf1.Session() as session:
            weights = tf.Variable(np.ones([16, 1], np.float32))
            loss = tf.reduce_mean(tf.square(data @ weights - 1.0))
            train = tf1.train.GradientDescentOptimizer(rate).minimize(loss)
            session.run(tf1.global_variables_initializer())
            for _ in range(3):
                session.run(train)
            return session.run(loss)

    return step
