"""A figure is drawn at each step, and pyplot keeps it."""

import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import tensorflow as tf

plt.rcParams["figure.max_open_warning"] = 0


def before_1():
    """A histogram of the weights at each step."""
    weights = tf.Variable(tf.random.stateless_normal([80], [3, 1]))
    path = tempfile.mkdtemp() + "/weights.png"

    def step():
        weights.assign(tf.roll(weights, 1, 0))
        figure, axes = plt.subplots(figsize=(1.2, 1.0), dpi=60)
        axes.hist(weights.numpy(), bins=8)
        figure.savefig(path)

    return step


def after_1():
    weights = tf.Variable(tf.random.stateless_normal([80], [3, 1]))
    path = tempfile.mkdtemp() + "/weights.png"

    def step():
        weights.assign(tf.roll(weights, 1, 0))
        figure, axes = plt.subplots(figsize=(1.2, 1.0), dpi=60)
        axes.hist(weights.numpy(), bins=8)
        figure.savefig(path)
        plt.close(figure)

    return step


def before_2():
    """Pictures of a generator, looked at in numbered windows."""
    kernel = tf.Variable(tf.random.stateless_normal([16, 64], [3, 3]))
    random = np.random.default_rng(3)
    folder = tempfile.mkdtemp()

    def step():
        noise = random.normal(size=(1, 16)).astype("float32")
        picture = tf.reshape(tf.tanh(noise @ kernel), [8, 8])
        plt.figure(figsize=(1, 1))
        plt.imshow(picture, cmap="gray")
        plt.savefig(f"{folder}/newest.png", dpi=40)

    return step


def after_2():
    kernel = tf.Variable(tf.random.stateless_normal([16, 64], [3, 3]))
    random = np.random.default_rng(3)
    folder = tempfile.mkdtemp()

    def step():
        noise = random.normal(size=(1, 16)).astype("float32")
        picture = tf.reshape(tf.tanh(noise @ kernel), [8, 8])
        figure = plt.figure(figsize=(1, 1))
        plt.imshow(picture, cmap="gray")
        figure.savefig(f"{folder}/newest.png", dpi=40)
        plt.close(figure)

    return step
