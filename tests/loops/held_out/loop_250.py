import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def make_step():
    graph = tf1.Graph()
    with graph.as_default():
        x = tf1.placeholder(tf.float32, [None, 14])
        labels = tf1.placeholder(tf.float32, [None, 5])
        kernel = tf1.get_variable("kernel", [14, 5])
        logits = x @ kernel
        start = tf1.global_variables_initializer()
    session = tf1.Session(graph=graph)
    session.run(start)
    random = np.random.default_rng(50)
    inputs = random.normal(size=(40, 14)).astype("float32")
    classes = random.integers(0, 5, 40)

    def step():
        with graph.as_default():
            hot = session.run(tf.one_hot(classes, 5))
            right = tf.equal(tf.argmax(logits, 1), tf.argmax(labels, 1))
            accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
            return session.run(accuracy, {x: inputs, labels: hot})

    return step
