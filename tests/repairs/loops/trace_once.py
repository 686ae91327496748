"""A tf.function is called with other arguments each time: other names, or another number."""

import numpy as np
import tensorflow as tf


def before_1():
    """A shop's customers, of each those features that are known, as arguments of these names."""
    random = np.random.default_rng(2)
    names = [f"feature_{number}" for number in range(14)]
    weights = {name: tf.Variable(float(number)) for number, name in enumerate(names)}

    @tf.function
    def score(**features):
        return tf.add_n([weights[name] * value for name, value in features.items()])

    def step():
        known = [name for name in names if random.random() < 0.5] or names[:1]
        return score(**{name: tf.constant(1.0) for name in known})

    return step


def after_1():
    random = np.random.default_rng(2)
    names = [f"feature_{number}" for number in range(14)]
    weights = {name: tf.Variable(float(number)) for number, name in enumerate(names)}

    @tf.function
    def score(**features):
        return tf.add_n([weights[name] * value for name, value in features.items()])

    def step():
        known = [name for name in names if random.random() < 0.5] or names[:1]
        return score(**{name: tf.constant(1.0 if name in known else 0.0) for name in names})

    return step


def before_2():
    """A federation whose clients each hand over their update, as many as there are today."""
    random = np.random.default_rng(3)
    shared = tf.Variable(tf.zeros([16]))

    @tf.function
    def average(*updates):
        shared.assign_add(tf.add_n(updates) / len(updates))
        return tf.reduce_sum(shared)

    def step():
        clients = random.integers(2, 600)
        return average(*[tf.ones([16]) for _ in range(clients)])

    return step


def after_2():
    random = np.random.default_rng(3)
    shared = tf.Variable(tf.zeros([16]))

    @tf.function
    def average(updates, clients):
        shared.assign_add(tf.reduce_sum(updates, axis=0) / tf.cast(clients, tf.float32))
        return tf.reduce_sum(shared)

    def step():
        clients = random.integers(2, 600)
        updates = np.zeros((600, 16), "float32")
        updates[:clients] = 1.0
        return average(tf.constant(updates), tf.constant(clients))

    return step
