"""The data of many batches is made at once, and one step in so many waits for all of it."""

import numpy as np
import tensorflow as tf

NUMBERS = tf.TensorSpec([None, 64])


def spectra(sound):
    return np.abs(np.fft.fft(sound.reshape(-1, 16, 64))).mean(axis=1).astype("float32")


def before_1():
    """Spectra of recordings, made for a whole file of them at a time."""
    sound = np.random.default_rng(1).random((1_200, 1_024))

    def batches():
        while True:
            whole = spectra(np.concatenate([sound] * 4))
            yield from np.array_split(whole, 40)

    batch = iter(tf.data.Dataset.from_generator(batches, output_signature=NUMBERS))
    kernel = tf.Variable(tf.ones([64, 1]))

    def step():
        return tf.reduce_sum(next(batch) @ kernel)

    return step


def after_1():
    sound = np.random.default_rng(1).random((1_200, 1_024))

    def batches():
        while True:
            for part in np.array_split(np.concatenate([sound] * 4), 40):
                yield spectra(part)

    dataset = tf.data.Dataset.from_generator(batches, output_signature=NUMBERS)
    batch = iter(dataset.prefetch(tf.data.AUTOTUNE))
    kernel = tf.Variable(tf.ones([64, 1]))

    def step():
        return tf.reduce_sum(next(batch) @ kernel)

    return step


def before_2():
    """Rows of measurements that are sorted anew, all of them, every fifty batches."""
    rows = np.random.default_rng(2).random((60_000, 64)).astype("float32")

    def batches():
        while True:
            whole = np.sort(rows, axis=1)
            for first in range(0, 1_600, 32):
                yield whole[first : first + 32]

    batch = iter(tf.data.Dataset.from_generator(batches, output_signature=NUMBERS))

    def step():
        return tf.reduce_mean(tf.square(next(batch)))

    return step


def after_2():
    rows = np.random.default_rng(2).random((60_000, 64)).astype("float32")

    def batches():
        while True:
            for first in range(0, 1_600, 32):
                yield np.sort(rows[first : first + 32], axis=1)

    dataset = tf.data.Dataset.from_generator(batches, output_signature=NUMBERS)
    batch = iter(dataset.prefetch(tf.data.AUTOTUNE))

    def step():
        return tf.reduce_mean(tf.square(next(batch)))

    return step
