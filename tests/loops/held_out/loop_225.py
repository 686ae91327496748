import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def predict(graph, inputs, number):
    with graph.as_default(), tf1.variable_scope(f"call_{number}"):
        x = tf1.placeholder(tf.float32, [None, 12])
        kernel = tf1.get_variable("kernel", [12, 3])
        scores = tf.nn.softmax(x @ kernel)
        with tf1.Session() as session:
            session.run(tf1.global_variables_initializer())
            return session.run(scores, {x: inputs})


def make_step():
    graph = tf1.Graph()
    inputs = np.random.default_rng(25).normal(size=(8, 12)).astype("float32")
    requests = 0

    def step():
        nonlocal requests
        requests += 1
        return predict(graph, inputs, requests)

    return step
