"""Something that TensorFlow keeps for ever is made at each step."""

import keras
import numpy as np
import tensorflow as tf


def before_1():
    """Workers of which each round makes an optimizer."""
    shared = [keras.Variable(tf.ones([4, 2])), keras.Variable(tf.zeros([2]))]
    rows = tf.random.stateless_normal([10, 4], [6, 6])

    def local_round():
        optimizer = keras.optimizers.RMSprop(learning_rate=0.002)
        with tf.GradientTape() as tape:
            values = [variable.value for variable in shared]
            loss = tf.reduce_mean(tf.square(rows @ values[0] + values[1]))
        optimizer.apply(tape.gradient(loss, values), shared)
        return loss

    return local_round


def after_1():
    shared = [keras.Variable(tf.ones([4, 2])), keras.Variable(tf.zeros([2]))]
    rows = tf.random.stateless_normal([10, 4], [6, 6])
    optimizer = keras.optimizers.RMSprop(learning_rate=0.002)

    def local_round():
        with tf.GradientTape() as tape:
            values = [variable.value for variable in shared]
            loss = tf.reduce_mean(tf.square(rows @ values[0] + values[1]))
        optimizer.apply(tape.gradient(loss, values), shared)
        return loss

    return local_round


def equalise(signal):
    values = signal.numpy()
    return (values - values.mean()) / (values.std() + 1e-6)


def before_2():
    """Recordings that a function of Python's equalises within TensorFlow."""
    random = np.random.default_rng(8)
    recordings = tf.constant(random.normal(size=(20, 1500)).astype("float32"))
    position = 0

    def step():
        nonlocal position
        position = (position + 1) % 20
        return tf.py_function(equalise, [recordings[position]], tf.float32)

    return step


def after_2():
    random = np.random.default_rng(8)
    recordings = tf.constant(random.normal(size=(20, 1500)).astype("float32"))
    position = 0

    @tf.function
    def equalised(signal):
        return tf.py_function(equalise, [signal], tf.float32)

    def step():
        nonlocal position
        position = (position + 1) % 20
        return equalised(recordings[position])

    return step
