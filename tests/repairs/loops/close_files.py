"""A file is opened at each step and stays open, with its thread."""

import tempfile

import tensorflow as tf


def before_1():
    """A regression that opens a writer of summaries for each number."""
    weights = tf.Variable(tf.zeros([8, 1]))
    batch = tf.random.stateless_normal([64, 8], [1, 1])
    folder = tempfile.mkdtemp()
    writers = []

    def step():
        loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        weights.assign_add(tf.fill([8, 1], 0.001))
        writers.append(tf.summary.create_file_writer(folder))
        with writers[-1].as_default(step=len(writers)):
            tf.summary.write("loss", loss)

    return step


def after_1():
    weights = tf.Variable(tf.zeros([8, 1]))
    batch = tf.random.stateless_normal([64, 8], [1, 1])
    folder = tempfile.mkdtemp()
    writer = tf.summary.create_file_writer(folder)
    done = 0

    def step():
        nonlocal done
        loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        weights.assign_add(tf.fill([8, 1], 0.001))
        done += 1
        with writer.as_default(step=done):
            tf.summary.write("loss", loss)

    return step


def before_2():
    """A game that opens its record anew for each move."""
    policy = tf.Variable(tf.random.stateless_normal([9, 9], [4, 4]))
    board = tf.ones([1, 9])
    path = tempfile.mkdtemp() + "/moves.txt"
    records = []

    def step():
        move = int(tf.argmax(board @ policy, axis=1)[0])
        policy.assign(tf.roll(policy, 1, 0))
        record = open(path, "a")  # noqa: SIM115
        record.write(f"{move}\n")
        records.append(record)

    return step


def after_2():
    policy = tf.Variable(tf.random.stateless_normal([9, 9], [4, 4]))
    board = tf.ones([1, 9])
    path = tempfile.mkdtemp() + "/moves.txt"
    record = open(path, "a")  # noqa: SIM115

    def step():
        move = int(tf.argmax(board @ policy, axis=1)[0])
        policy.assign(tf.roll(policy, 1, 0))
        record.write(f"{move}\n")

    return step
