"""Objects are made at each step, and something refers to every one of them."""

import atexit

import numpy as np
import tensorflow as tf


class Belief:
    def __init__(self, weights, previous):
        self.weights = weights
        self.previous = previous

    def moved(self, seen):
        return Belief(0.9 * self.weights + 0.1 * seen, self)


def before_1():
    """A filter whose belief knows the belief before it."""
    random = np.random.default_rng(7)
    belief = Belief(tf.ones([32]), None)

    def step():
        nonlocal belief
        belief = belief.moved(random.random(32).astype("float32"))
        return tf.reduce_sum(belief.weights)

    return step


def after_1():
    random = np.random.default_rng(7)
    belief = Belief(tf.ones([32]), None)

    def step():
        nonlocal belief
        belief = belief.moved(random.random(32).astype("float32"))
        belief.previous = None
        return tf.reduce_sum(belief.weights)

    return step


class Recorder:
    def __init__(self):
        self.values = np.zeros(100, "float32")
        atexit.register(self.close)

    def note(self, number, value):
        self.values[number % 100] = value

    def close(self):
        self.values = None


def before_2():
    """A regression with a recorder for each step, to be closed when Python ends."""
    weights = tf.Variable(tf.zeros([8, 1]))
    batch = tf.random.stateless_normal([64, 8], [1, 1])

    def step():
        recorder = Recorder()
        loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        weights.assign_add(tf.fill([8, 1], 0.0001))
        recorder.note(0, float(loss))

    return step


def after_2():
    weights = tf.Variable(tf.zeros([8, 1]))
    batch = tf.random.stateless_normal([64, 8], [1, 1])
    recorder = Recorder()

    def step():
        loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        weights.assign_add(tf.fill([8, 1], 0.0001))
        recorder.note(0, float(loss))

    return step
