"""A step needs more memory at once than there is."""

import numpy as np
import tensorflow as tf


def before_1():
    """The distances between all stars of a catalogue, at once."""
    stars = tf.random.stateless_uniform([60_000, 3], [1, 1])
    many = 2_000

    def step():
        nonlocal many
        many = min(many * 2, 60_000)
        chosen = stars[:many]
        apart = tf.norm(chosen[:, None] - chosen[None], axis=2)
        return tf.reduce_mean(apart)

    return step


def after_1():
    stars = tf.random.stateless_uniform([60_000, 3], [1, 1])
    dataset = tf.data.Dataset.from_tensor_slices(stars).repeat().batch(32)
    batches = iter(dataset)

    def step():
        chosen = next(batches)
        apart = tf.norm(chosen[:, None] - stars[None, :2_000], axis=2)
        return tf.reduce_mean(apart)

    return step


def before_2():
    """Films, of which each step decodes all there are of a day into one batch."""
    kernel = tf.Variable(tf.random.stateless_normal([3, 8], [2, 2]))
    day = 0

    def step():
        nonlocal day
        day += 1
        films = np.ones((300 * day, 128, 128, 3), "float32")
        return tf.reduce_mean(tf.constant(films) @ kernel)

    return step


def after_2():
    kernel = tf.Variable(tf.random.stateless_normal([3, 8], [2, 2]))
    films = tf.data.Dataset.range(1_000_000).map(lambda number: tf.ones([128, 128, 3]))
    dataset = films.batch(32)
    batches = iter(dataset)

    def step():
        return tf.reduce_mean(next(batches) @ kernel)

    return step
