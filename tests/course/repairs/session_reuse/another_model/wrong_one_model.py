# refused: returns what it returned
# One model, built and initialised once, is the usual repair; here each turn is another model.
import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def make_step():
    data = np.random.default_rng(0).normal(size=[32, 16]).astype(np.float32)
    width = 9
    random = np.random.default_rng(width)
    with tf.Graph().as_default():
        session = tf1.Session()
        x = given = tf1.placeholder(tf.float32, [32, 16])
        for shape in [16, width], [width, 1]:
            weights = tf.Variable(random.normal(size=shape).astype(np.float32))
            x = tf.nn.relu(x @ weights)
        result = tf.reduce_mean(x)
        session.run(tf1.global_variables_initializer())

    def step():
        return session.run(result, {given: data})

    return step
