"""A session is opened for each step."""

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def before_1():
    """A classifier that opens a session for each batch, and sets its variables up."""
    graph = tf1.Graph()
    with graph.as_default():
        x = tf1.placeholder(tf.float32, [None, 8])
        kernel = tf1.get_variable("kernel", [8, 4], use_resource=False)
        loss = tf.reduce_mean(tf.square(x @ kernel - 1.0))
        train_op = tf1.train.GradientDescentOptimizer(0.1).minimize(loss)
        ready = tf1.global_variables_initializer()
    rows = np.random.default_rng(1).normal(size=(32, 8)).astype("float32")

    def step():
        with tf1.Session(graph=graph) as session:
            session.run(ready)
            return session.run([train_op, loss], feed_dict={x: rows})

    return step


def after_1():
    graph = tf1.Graph()
    with graph.as_default():
        x = tf1.placeholder(tf.float32, [None, 8])
        kernel = tf1.get_variable("kernel", [8, 4], use_resource=False)
        loss = tf.reduce_mean(tf.square(x @ kernel - 1.0))
        train_op = tf1.train.GradientDescentOptimizer(0.1).minimize(loss)
        ready = tf1.global_variables_initializer()
    rows = np.random.default_rng(1).normal(size=(32, 8)).astype("float32")
    session = tf1.Session(graph=graph)
    session.run(ready)

    def step():
        return session.run([train_op, loss], feed_dict={x: rows})

    return step


def before_2():
    """A service that loads its small graph for every question."""
    table = np.random.default_rng(2).normal(size=(50, 6)).astype("float32")

    def answer(word):
        with tf.Graph().as_default(), tf1.Session() as session:
            vectors = tf1.get_variable("vectors", initializer=table, use_resource=False)
            asked = tf1.placeholder(tf.int64, [])
            scores = tf.linalg.matvec(vectors, tf.gather(vectors, asked))
            session.run(tf1.global_variables_initializer())
            return session.run(tf.argmax(scores), feed_dict={asked: word})

    word = 0

    def step():
        nonlocal word
        word = (word + 1) % 50
        return answer(word)

    return step


def after_2():
    table = np.random.default_rng(2).normal(size=(50, 6)).astype("float32")
    graph = tf.Graph()
    with graph.as_default():
        vectors = tf1.get_variable("vectors", initializer=table, use_resource=False)
        asked = tf1.placeholder(tf.int64, [])
        scores = tf.linalg.matvec(vectors, tf.gather(vectors, asked))
        best = tf.argmax(scores)
        ready = tf1.global_variables_initializer()
    session = tf1.Session(graph=graph)
    session.run(ready)

    def answer(word):
        return session.run(best, feed_dict={asked: word})

    word = 0

    def step():
        nonlocal word
        word = (word + 1) % 50
        return answer(word)

    return step
