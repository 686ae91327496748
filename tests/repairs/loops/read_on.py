"""What makes the data goes through all of it again for each batch, a little further each time."""

import itertools
import tempfile
from pathlib import Path

import numpy as np
import tensorflow as tf

SHAPE = tf.TensorSpec([None, 4])


def written(rows):
    table = np.random.default_rng(1).random((rows, 4))
    path = Path(tempfile.mkdtemp(prefix="read_on-")) / "table.csv"
    np.savetxt(path, table, delimiter=",")
    return path


def parsed(lines):
    return np.array([line.split(",") for line in lines], "float32")


def before_1():
    """A table of numbers, of which each batch skips the rows of those before."""
    path = written(200_000)

    def batches():
        for first in itertools.count(0, 16):
            with open(path) as file:
                yield parsed(itertools.islice(file, first, first + 16))

    batch = iter(tf.data.Dataset.from_generator(batches, output_signature=SHAPE))
    kernel = tf.Variable(tf.ones([4, 1]))

    def step():
        return tf.reduce_sum(next(batch) @ kernel)

    return step


def after_1():
    path = written(200_000)

    def batches():
        with open(path) as file:
            for lines in iter(lambda: list(itertools.islice(file, 16)), []):
                yield parsed(lines)

    batch = iter(tf.data.Dataset.from_generator(batches, output_signature=SHAPE))
    kernel = tf.Variable(tf.ones([4, 1]))

    def step():
        return tf.reduce_sum(next(batch) @ kernel)

    return step


def before_2():
    """Letters of a long text, which is read up to each window again."""
    path = written(20_000)

    def windows():
        for first in itertools.count(0, 64):
            with open(path) as file:
                text = file.read(first + 256)
            yield np.frombuffer(text[first:].encode(), np.uint8).astype("float32")

    window = iter(tf.data.Dataset.from_generator(windows, output_signature=tf.TensorSpec([None])))

    def step():
        return tf.reduce_mean(tf.square(next(window)))

    return step


def after_2():
    path = written(20_000)

    def windows():
        text = ""
        with open(path) as file:
            for part in iter(lambda: file.read(64), ""):
                text = (text + part)[-256:]
                yield np.frombuffer(text.encode(), np.uint8).astype("float32")

    window = iter(tf.data.Dataset.from_generator(windows, output_signature=tf.TensorSpec([None])))

    def step():
        return tf.reduce_mean(tf.square(next(window)))

    return step
