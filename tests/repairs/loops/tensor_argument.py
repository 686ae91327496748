"""A tf.function is handed a number of Python's, another one at each call."""

import numpy as np
import tensorflow as tf


def before_1():
    """A regression that is handed its learning rate."""
    weights = tf.Variable(tf.zeros([8, 1]))
    batch = tf.random.stateless_normal([64, 8], [1, 1])
    rate = 0.1

    @tf.function
    def train(batch, rate):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        weights.assign_sub(rate * tape.gradient(loss, weights))
        return loss

    def step():
        nonlocal rate
        rate *= 0.999
        return train(batch, rate)

    return step


def after_1():
    weights = tf.Variable(tf.zeros([8, 1]))
    batch = tf.random.stateless_normal([64, 8], [1, 1])
    rate = 0.1

    @tf.function
    def train(batch, rate):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        weights.assign_sub(rate * tape.gradient(loss, weights))
        return loss

    def step():
        nonlocal rate
        rate *= 0.999
        return train(batch, tf.constant(rate))

    return step


def before_2():
    """A diffusion model's noise, by the number of the time step."""
    image = tf.random.stateless_normal([16, 16, 3], [5, 5])
    random = np.random.default_rng(3)

    @tf.function
    def add_noise(image, time):
        kept = tf.cos(tf.cast(time, tf.float32) / 5_000 * 1.57)
        noise = tf.random.stateless_normal([16, 16, 3], [7, 7])
        return kept * image + tf.sqrt(1 - kept**2) * noise

    def step():
        time = int(random.integers(0, 5_000))
        return add_noise(image, time=time)

    return step


def after_2():
    image = tf.random.stateless_normal([16, 16, 3], [5, 5])
    random = np.random.default_rng(3)

    @tf.function
    def add_noise(image, time):
        kept = tf.cos(tf.cast(time, tf.float32) / 5_000 * 1.57)
        noise = tf.random.stateless_normal([16, 16, 3], [7, 7])
        return kept * image + tf.sqrt(1 - kept**2) * noise

    def step():
        time = int(random.integers(0, 5_000))
        return add_noise(image, time=tf.constant(time))

    return step
