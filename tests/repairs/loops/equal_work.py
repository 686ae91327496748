"""Each step is given more than the one before it."""

import numpy as np
import tensorflow as tf


def before_1():
    """An encoder of speech, its utterances sorted by their length."""
    cell = tf.Variable(tf.random.stateless_normal([56, 56], [8, 2]) * 0.1)
    spectrogram = tf.random.stateless_normal([60_000, 56], [8, 3])
    length = 400

    @tf.function(input_signature=[tf.TensorSpec([None, 56], tf.float32)])
    def train(frames):
        hidden = frames
        for _ in range(3):
            hidden = tf.tanh(hidden @ cell)
        cell.assign_sub(0.0001 * cell)
        return tf.reduce_mean(hidden)

    def step():
        nonlocal length
        frames = spectrogram[:length]
        length = min(length + 10, 60_000)
        return train(frames)

    return step


def after_1():
    cell = tf.Variable(tf.random.stateless_normal([56, 56], [8, 2]) * 0.1)
    spectrogram = tf.random.stateless_normal([60_000, 56], [8, 3])
    begin = 0

    @tf.function(input_signature=[tf.TensorSpec([None, 56], tf.float32)])
    def train(frames):
        hidden = frames
        for _ in range(3):
            hidden = tf.tanh(hidden @ cell)
        cell.assign_sub(0.0001 * cell)
        return tf.reduce_mean(hidden)

    def step():
        nonlocal begin
        frames = spectrogram[begin : begin + 400]
        begin = (begin + 400) % 59_000
        return train(frames)

    return step


def before_2():
    """A simulation that adds bodies, with the distances between all of them."""
    random = np.random.default_rng(7)
    places = tf.constant(random.random((4_000, 2)).astype("float32"))
    bodies = 100

    def step():
        nonlocal bodies
        bodies = min(bodies + 2, 4_000)
        here = places[:bodies]
        apart = tf.norm(here[:, None] - here[None], axis=2)
        return tf.reduce_mean(apart)

    return step


def after_2():
    random = np.random.default_rng(7)
    places = tf.constant(random.random((4_000, 2)).astype("float32"))
    begin = 0

    def step():
        nonlocal begin
        begin = (begin + 128) % 3_800
        here = places[begin : begin + 128]
        apart = tf.norm(here[:, None] - here[None], axis=2)
        return tf.reduce_mean(apart)

    return step
