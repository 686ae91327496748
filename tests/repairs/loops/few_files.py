"""A file is written at each step, under a name of its own."""

import tempfile

import numpy as np
import tensorflow as tf


def before_1():
    """Predictions that are saved at each step, for a look at them later."""
    kernel = tf.Variable(tf.random.stateless_normal([8, 4], [1, 1]))
    batch = tf.random.stateless_normal([64, 8], [2, 2])
    folder = tempfile.mkdtemp()
    number = 0

    def step():
        nonlocal number
        number += 1
        predictions = tf.nn.softmax(batch @ kernel)
        np.save(f"{folder}/predictions_{number}.npy", predictions.numpy())

    return step


def after_1():
    kernel = tf.Variable(tf.random.stateless_normal([8, 4], [1, 1]))
    batch = tf.random.stateless_normal([64, 8], [2, 2])
    folder = tempfile.mkdtemp()
    number = 0

    def step():
        nonlocal number
        number += 1
        predictions = tf.nn.softmax(batch @ kernel)
        if number % 1000 == 0:
            np.save(f"{folder}/newest.npy", predictions.numpy())

    return step


def before_2():
    """Pictures of a generator, each encoded and written."""
    kernel = tf.Variable(tf.random.stateless_normal([16, 192], [3, 3]))
    random = np.random.default_rng(3)
    folder = tempfile.mkdtemp()
    done = 0

    def step():
        nonlocal done
        noise = random.normal(size=(1, 16)).astype("float32")
        picture = tf.cast(tf.reshape(tf.sigmoid(noise @ kernel), [8, 8, 3]) * 255, tf.uint8)
        tf.io.write_file(f"{folder}/{done:06}.png", tf.io.encode_png(picture))
        done += 1

    return step


def after_2():
    kernel = tf.Variable(tf.random.stateless_normal([16, 192], [3, 3]))
    random = np.random.default_rng(3)
    folder = tempfile.mkdtemp()
    done = 0

    def step():
        nonlocal done
        noise = random.normal(size=(1, 16)).astype("float32")
        picture = tf.cast(tf.reshape(tf.sigmoid(noise @ kernel), [8, 8, 3]) * 255, tf.uint8)
        if done % 1000 == 0:
            tf.io.write_file(f"{folder}/newest.png", tf.io.encode_png(picture))
        done += 1

    return step
