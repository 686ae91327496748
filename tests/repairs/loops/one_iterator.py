"""Each step reads the dataset from its beginning to where the one before it stopped."""

import itertools

import numpy as np
import tensorflow as tf


def before_1():
    """Roots of numbers, of which each step skips those that were used."""
    records = tf.data.Dataset.range(5_000_000).map(lambda number: tf.sqrt(tf.cast(number, "float")))
    consumed = 0

    def step():
        nonlocal consumed
        total = tf.constant(0.0)
        for value in records.skip(consumed).take(4):
            total += value
        consumed += 80
        return total

    return step


def after_1():
    records = tf.data.Dataset.range(5_000_000).map(lambda number: tf.sqrt(tf.cast(number, "float")))
    values = iter(records.repeat().prefetch(tf.data.AUTOTUNE))

    def step():
        total = tf.constant(0.0)
        for _ in range(4):
            total += next(values)
        return total

    return step


def before_2():
    """A classifier of pictures that goes to its batch by the batch's number."""
    kernel = tf.Variable(tf.zeros([48, 10]))
    pixels = np.random.default_rng(1).random((512, 48)).astype("float32")
    batches = tf.data.Dataset.from_tensor_slices(pixels).repeat().map(tf.square).batch(32)
    number = 0

    def step():
        nonlocal number
        batch = next(itertools.islice(batches, number, None))
        number += 1
        return tf.reduce_mean(batch @ kernel)

    return step


def after_2():
    kernel = tf.Variable(tf.zeros([48, 10]))
    pixels = np.random.default_rng(1).random((512, 48)).astype("float32")
    dataset = tf.data.Dataset.from_tensor_slices(pixels).repeat().map(tf.square).batch(32)
    batches = iter(dataset.repeat().prefetch(tf.data.AUTOTUNE))

    def step():
        return tf.reduce_mean(next(batches) @ kernel)

    return step
