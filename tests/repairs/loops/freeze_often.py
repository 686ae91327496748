"""Python looks for garbage through ever more objects, which the loop keeps."""

import gc

import numpy as np
import tensorflow as tf


def before_1():
    """A detector that keeps its samples and collects garbage after each batch."""
    samples = []
    kernel = tf.Variable(tf.random.stateless_normal([32, 4], [2, 2]))
    random = np.random.default_rng(2)

    def step():
        picture = random.random((1, 32)).astype("float32")
        samples.extend({"id": len(samples) + row, "boxes": [row]} for row in range(2000))
        scores = tf.nn.softmax(picture @ kernel)
        gc.collect()
        return scores

    return step


def after_1():
    samples = []
    kernel = tf.Variable(tf.random.stateless_normal([32, 4], [2, 2]))
    random = np.random.default_rng(2)

    def step():
        picture = random.random((1, 32)).astype("float32")
        samples.extend({"id": len(samples) + row, "boxes": [row]} for row in range(2000))
        scores = tf.nn.softmax(picture @ kernel)
        gc.collect()
        gc.freeze()
        return scores

    return step


def before_2():
    """A game whose moves are all noted, each as a dict, and Python's collector comes by itself."""
    policy = tf.Variable(tf.random.stateless_normal([9, 9], [4, 4]))
    moves = []

    def step():
        move = tf.argmax(tf.ones([1, 9]) @ policy, axis=1)
        moves.extend({"place": [place], "seen": {}} for place in range(1_500))
        return move

    return step


def after_2():
    policy = tf.Variable(tf.random.stateless_normal([9, 9], [4, 4]))
    moves = []

    def step():
        move = tf.argmax(tf.ones([1, 9]) @ policy, axis=1)
        moves.extend({"place": [place], "seen": {}} for place in range(1_500))
        gc.collect()
        gc.freeze()
        return move

    return step
