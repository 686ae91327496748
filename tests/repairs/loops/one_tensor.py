"""A tf.function is handed a list or a dict that has other parts at each call."""

import numpy as np
import tensorflow as tf


def before_1():
    """Molecules, a tensor for each, in a list as long as the batch."""
    random = np.random.default_rng(1)
    kernel = tf.Variable(tf.random.stateless_normal([6, 6], [1, 1]))

    @tf.function
    def train(molecules):
        sums = [tf.reduce_sum(tf.tanh(atoms @ kernel)) for atoms in molecules]
        return tf.add_n(sums) / len(sums)

    def step():
        sizes = random.integers(2, 40, size=random.integers(2, 8))
        return train([tf.ones([size, 6]) for size in sizes])

    return step


def after_1():
    random = np.random.default_rng(1)
    kernel = tf.Variable(tf.random.stateless_normal([6, 6], [1, 1]))

    @tf.function(reduce_retracing=True)
    def train(atoms, molecule):
        sums = tf.math.segment_sum(tf.reduce_sum(tf.tanh(atoms @ kernel), axis=1), molecule)
        return tf.reduce_mean(sums)

    def step():
        sizes = random.integers(2, 40, size=random.integers(2, 8))
        atoms = tf.concat([tf.ones([size, 6]) for size in sizes], axis=0)
        return train(atoms, tf.constant(np.repeat(np.arange(len(sizes)), sizes)))

    return step


def before_2():
    """A shop's customers, of each those features that are known, by their names."""
    random = np.random.default_rng(2)
    weights = {str(name): tf.Variable(float(name)) for name in range(14)}

    @tf.function
    def score(features):
        return tf.add_n([weights[name] * value for name, value in features.items()])

    def step():
        known = random.random(14) < 0.5
        known[0] = True
        return score({str(name): tf.constant(1.0) for name in np.flatnonzero(known)})

    return step


def after_2():
    random = np.random.default_rng(2)
    weights = tf.Variable(np.arange(14, dtype="float32"))

    @tf.function(reduce_retracing=True)
    def score(features, known):
        return tf.reduce_sum(tf.gather(weights, known) * features)

    def step():
        known = random.random(14) < 0.5
        known[0] = True
        known = np.flatnonzero(known)
        return score(tf.ones([len(known)]), tf.constant(known))

    return step
