"""Each step picks the elements of a tensor one by one, and each pick runs an op."""

import numpy as np
import tensorflow as tf


def before_1():
    """A table of what was taken for what, counted for each picture of a batch."""
    kernel = tf.Variable(tf.random.stateless_normal([64, 10], seed=[1, 2]))
    pixels = tf.random.stateless_normal([128, 64], seed=[3, 4])
    labels = tf.range(128) % 10
    table = np.zeros((10, 10), int)

    def step():
        guessed = tf.argmax(pixels @ kernel, axis=1)
        for place in range(128):
            table[int(labels[place]), int(guessed[place])] += 1
        return table.trace()

    return step


def after_1():
    kernel = tf.Variable(tf.random.stateless_normal([64, 10], seed=[1, 2]))
    pixels = tf.random.stateless_normal([128, 64], seed=[3, 4])
    labels = tf.range(128) % 10
    table = np.zeros((10, 10), int)

    def step():
        guessed = tf.argmax(pixels @ kernel, axis=1)
        values = guessed.numpy()
        known = labels.numpy()
        for place in range(128):
            table[int(known[place]), int(values[place])] += 1
        return table.trace()

    return step


def before_2():
    """A shop's prices, of which those above a limit are noted."""
    prices = tf.Variable(tf.random.stateless_uniform([400], seed=[5, 6]))

    def step():
        moved = prices.assign(prices * 1.001 % 1.0) + 0.0
        return sum(1 for price in moved if float(price) > 0.9)

    return step


def after_2():
    prices = tf.Variable(tf.random.stateless_uniform([400], seed=[5, 6]))

    def step():
        moved = prices.assign(prices * 1.001 % 1.0) + 0.0
        values = moved.numpy()
        return sum(1 for price in values if float(price) > 0.9)

    return step
