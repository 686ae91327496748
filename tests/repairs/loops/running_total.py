"""Each step works through all that was noted so far, for one number."""

import collections

import numpy as np
import tensorflow as tf


def before_1():
    """An evaluation that joins all logits so far, for their mean."""
    head = tf.random.stateless_normal([24, 200], [2, 2])
    hidden = tf.random.stateless_normal([80, 24], [3, 3])
    logits = None

    def step():
        nonlocal logits
        new = tf.matmul(hidden, head).numpy()
        logits = new if logits is None else np.concatenate([logits, new])
        return logits.mean()

    return step


def after_1():
    head = tf.random.stateless_normal([24, 200], [2, 2])
    hidden = tf.random.stateless_normal([80, 24], [3, 3])
    total, count = 0.0, 0

    def step():
        nonlocal total, count
        new = tf.matmul(hidden, head).numpy()
        total, count = total + float(new.sum()), count + new.size
        return total / count

    return step


def before_2():
    """A player that stacks its whole memory, to draw a batch from it."""
    random = np.random.default_rng(5)
    critic = tf.Variable(tf.random.stateless_normal([128, 1], [5, 1]))
    memory = []

    def step():
        memory.append(random.random(128).astype("float32"))
        states = np.stack(memory)
        batch = states[random.integers(0, len(memory), 32)]
        return tf.reduce_mean(batch @ critic)

    return step


def after_2():
    random = np.random.default_rng(5)
    critic = tf.Variable(tf.random.stateless_normal([128, 1], [5, 1]))
    memory = collections.deque(maxlen=100)

    def step():
        memory.append(random.random(128).astype("float32"))
        states = np.stack(memory)
        batch = states[random.integers(0, len(memory), 32)]
        return tf.reduce_mean(batch @ critic)

    return step
