"""Each step is looked at so closely that looking takes most of it."""

import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import tensorflow as tf


def before_1():
    """A regression with a chart that gains a line at each step."""
    weights = tf.Variable(tf.zeros([8, 1]))
    batch = tf.random.stateless_normal([64, 8], [1, 1])
    figure, axes = plt.subplots()

    def step():
        errors = tf.square(batch @ weights - 1.0)
        weights.assign_add(tf.fill([8, 1], 0.0001))
        axes.plot(errors.numpy())
        figure.canvas.draw()

    return step


def after_1():
    weights = tf.Variable(tf.zeros([8, 1]))
    batch = tf.random.stateless_normal([64, 8], [1, 1])
    path = tempfile.mkdtemp() + "/errors.png"
    done = 0

    def step():
        nonlocal done
        errors = tf.square(batch @ weights - 1.0)
        weights.assign_add(tf.fill([8, 1], 0.0001))
        if done % 100 == 0:
            print(float(tf.reduce_mean(errors)))
        if done == 1_000_000 - 1:
            figure, axes = plt.subplots()
            axes.plot(errors.numpy())
            figure.savefig(path)
            plt.close(figure)
        done += 1

    return step


def before_2():
    """A table of moves that is printed whole at each step."""
    table = tf.Variable(tf.random.stateless_normal([60, 60], [3, 1]))

    def step():
        table.assign(tf.roll(table, 1, 0))
        for row in table.numpy():
            print(*row)

    return step


def after_2():
    table = tf.Variable(tf.random.stateless_normal([60, 60], [3, 1]))
    done = 0

    def step():
        nonlocal done
        table.assign(tf.roll(table, 1, 0))
        if done % 100 == 0:
            print(float(table[0, 0]))
        done += 1

    return step
