"""Each step adds ops to the graph that its session runs."""

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def before_1():
    """A regression whose learning rate falls."""
    graph = tf1.Graph()
    with graph.as_default():
        features = tf1.placeholder(tf.float32, [32, 6])
        weights = tf1.get_variable("weights", [6, 1], use_resource=False)
        rate = tf1.get_variable("rate", [], trainable=False, use_resource=False)
        error = tf.reduce_mean(tf.abs(features @ weights - 1.0))
        train_op = tf1.train.GradientDescentOptimizer(rate).minimize(error)
        ready = tf1.global_variables_initializer()
    session = tf1.Session(graph=graph)
    session.run(ready)
    rows = np.random.default_rng(5).normal(size=(32, 6)).astype("float32")
    wanted = 0.05

    def step():
        nonlocal wanted
        wanted = max(wanted * 0.995, 0.001)
        with graph.as_default():
            session.run(tf1.assign(rate, wanted))
        return session.run([train_op, error], {features: rows})

    return step


def after_1():
    graph = tf1.Graph()
    with graph.as_default():
        features = tf1.placeholder(tf.float32, [32, 6])
        weights = tf1.get_variable("weights", [6, 1], use_resource=False)
        rate = tf1.get_variable("rate", [], trainable=False, use_resource=False)
        error = tf.reduce_mean(tf.abs(features @ weights - 1.0))
        train_op = tf1.train.GradientDescentOptimizer(rate).minimize(error)
        ready = tf1.global_variables_initializer()
        rate_now = tf1.placeholder(tf.float32, [])
        update = tf1.assign(rate, rate_now)
    graph.finalize()
    session = tf1.Session(graph=graph)
    session.run(ready)
    rows = np.random.default_rng(5).normal(size=(32, 6)).astype("float32")
    wanted = 0.05

    def step():
        nonlocal wanted
        wanted = max(wanted * 0.995, 0.001)
        session.run(update, {rate_now: wanted})
        return session.run([train_op, error], {features: rows})

    return step


def before_2():
    """The nearest words of a few words, asked of a table."""
    graph = tf1.Graph()
    with graph.as_default():
        table = tf1.get_variable("table", [500, 16], use_resource=False)
        ready = tf1.global_variables_initializer()
    session = tf1.Session(graph=graph)
    session.run(ready)
    random = np.random.default_rng(2)

    def nearest(words):
        with graph.as_default():
            asked = tf.gather(table, words)
            _, found = tf.nn.top_k(asked @ tf.transpose(table), k=5)
        return session.run(found)

    def step():
        return nearest(random.integers(0, 500, 8))

    return step


def after_2():
    graph = tf1.Graph()
    with graph.as_default():
        table = tf1.get_variable("table", [500, 16], use_resource=False)
        ready = tf1.global_variables_initializer()
        words_now = tf1.placeholder(tf.int64, [None])
        asked = tf.gather(table, words_now)
        _, found = tf.nn.top_k(asked @ tf.transpose(table), k=5)
    graph.finalize()
    session = tf1.Session(graph=graph)
    session.run(ready)
    random = np.random.default_rng(2)

    def nearest(words):
        return session.run(found, {words_now: words})

    def step():
        return nearest(random.integers(0, 500, 8))

    return step
