import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def make_step():
    graph = tf1.Graph()
    with graph.as_default():
        x = tf1.placeholder(tf.float32, [None, 30])
        y = tf1.placeholder(tf.float32, [None, 1])
        hidden_kernel = tf1.get_variable("hidden", [30, 40], use_resource=True)
        output_kernel = tf1.get_variable("output", [40, 1], use_resource=True)
        predicted = tf.nn.relu(x @ hidden_kernel) @ output_kernel
        loss = tf.reduce_mean(tf.square(predicted - y))
        train = tf1.train.AdamOptimizer(1e-3).minimize(loss)
        start = tf1.global_variables_initializer()
        graph.finalize()
    session = tf1.Session(graph=graph)
    session.run(start)
    random = np.random.default_rng(7)
    inputs = random.normal(size=(640, 30)).astype("float32")
    outputs = inputs[:, :1]

    def step():
        rows = random.integers(0, 640, 64)
        _, value = session.run([train, loss], {x: inputs[rows], y: outputs[rows]})
        return value

    return step
