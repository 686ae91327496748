"""Ever more is kept in one place, while another place has its bound already."""

import collections

import numpy as np
import tensorflow as tf


def before_1():
    """A player whose memory has its bound, and whose finished games have none."""
    random = np.random.default_rng(4)
    critic = tf.Variable(tf.random.stateless_normal([64, 1], [5, 1]))
    memory = collections.deque(maxlen=200)
    games = []

    def step():
        state = random.random(64).astype("float32")
        memory.append(state)
        games.append({"state": state, "moves": list(range(20))})
        return tf.reduce_mean(np.stack(memory) @ critic)

    return step


def after_1():
    random = np.random.default_rng(4)
    critic = tf.Variable(tf.random.stateless_normal([64, 1], [5, 1]))
    memory = collections.deque(maxlen=200)
    games = []

    def step():
        state = random.random(64).astype("float32")
        memory.append(state)
        games.append({"state": state, "moves": list(range(20))})
        del games[:-1_000]
        return tf.reduce_mean(np.stack(memory) @ critic)

    return step


def before_2():
    """A translator that remembers each sentence it has seen, beside its last few scores."""
    kernel = tf.Variable(tf.random.stateless_normal([32, 32], [2, 2]) * 0.2)
    random = np.random.default_rng(9)
    scores = collections.deque(maxlen=50)
    seen = {}

    def step():
        words = random.integers(0, 2**31, 32)
        seen[words.tobytes()] = words
        hidden = tf.tanh(tf.cast(words[None] % 7, tf.float32) @ kernel)
        scores.append(float(tf.reduce_sum(hidden)))
        return sum(scores) / len(scores)

    return step


def after_2():
    kernel = tf.Variable(tf.random.stateless_normal([32, 32], [2, 2]) * 0.2)
    random = np.random.default_rng(9)
    scores = collections.deque(maxlen=50)
    seen = {}

    def step():
        words = random.integers(0, 2**31, 32)
        seen.clear()
        seen[words.tobytes()] = words
        hidden = tf.tanh(tf.cast(words[None] % 7, tf.float32) @ kernel)
        scores.append(float(tf.reduce_sum(hidden)))
        return sum(scores) / len(scores)

    return step
