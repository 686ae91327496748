"""Random numbers are drawn eagerly after tf.random.set_seed: TensorFlow keeps a kernel for each."""

import tensorflow as tf


def before_1():
    """Pictures that are made lighter and noisier, one after the other."""
    tf.random.set_seed(2024)
    image = tf.ones([12, 12, 3])

    def augment(picture):
        picture = picture * tf.random.uniform([], 0.8, 1.2)
        return picture + tf.random.normal([12, 12, 3], stddev=0.01)

    def step():
        return [augment(image) for _ in range(6)][-1]

    return step


def after_1():
    tf.random.set_seed(2024)
    image = tf.ones([12, 12, 3])
    drawn = 0

    def augment(picture):
        nonlocal drawn
        drawn += 1
        seed = tf.stack([7, drawn])
        picture = picture * tf.random.stateless_uniform([], seed, 0.8, 1.2)
        return picture + 0.01 * tf.random.stateless_normal([12, 12, 3], seed=seed)

    def step():
        return [augment(image) for _ in range(6)][-1]

    return step


def before_2():
    """A GAN's generator, asked for a new batch of noise at each step."""
    tf.random.set_seed(1)
    kernel = tf.Variable(tf.random.stateless_normal([16, 32], [3, 3]))

    def step():
        noise = tf.random.normal([8, 16])
        masked = noise * tf.cast(tf.random.uniform([8, 16]) > 0.1, tf.float32)
        return tf.tanh(masked @ kernel)

    return step


def after_2():
    tf.random.set_seed(1)
    kernel = tf.Variable(tf.random.stateless_normal([16, 32], [3, 3]))
    number = 0

    def step():
        nonlocal number
        number += 1
        noise = tf.random.stateless_normal([8, 16], seed=tf.stack([7, number]))
        chance = tf.random.stateless_uniform([8, 16], seed=tf.stack([8, number]))
        masked = noise * tf.cast(chance > 0.1, tf.float32)
        return tf.tanh(masked @ kernel)

    return step
