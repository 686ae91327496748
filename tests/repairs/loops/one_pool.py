"""Threads are started at each step, and wait for ever for more to do."""

import concurrent.futures
import queue
import threading

import numpy as np
import tensorflow as tf


def before_1():
    """Pictures that a pool of threads makes ready, a new pool for each batch."""
    kernel = tf.Variable(tf.random.stateless_normal([48, 10], [2, 2]))
    pictures = np.random.default_rng(1).random((8, 48)).astype("float32")
    pools = []

    def step():
        pools.append(concurrent.futures.ThreadPoolExecutor(2))
        ready = list(pools[-1].map(np.flip, pictures))
        return tf.reduce_mean(np.stack(ready) @ kernel)

    return step


def after_1():
    kernel = tf.Variable(tf.random.stateless_normal([48, 10], [2, 2]))
    pictures = np.random.default_rng(1).random((8, 48)).astype("float32")
    pool = concurrent.futures.ThreadPoolExecutor(2)

    def step():
        ready = list(pool.map(np.flip, pictures))
        return tf.reduce_mean(np.stack(ready) @ kernel)

    return step


def before_2():
    """A player whose games are noted by a thread of their own."""
    policy = tf.Variable(tf.random.stateless_normal([9, 9], [4, 4]))
    lengths = []

    def note(games):
        while True:
            lengths[:] = [len(games.get())]

    def step():
        games = queue.Queue()
        threading.Thread(target=note, args=(games,), daemon=True).start()
        move = tf.argmax(tf.ones([1, 9]) @ policy, axis=1)
        games.put(move.numpy())

    return step


def after_2():
    policy = tf.Variable(tf.random.stateless_normal([9, 9], [4, 4]))
    lengths = []
    pool = concurrent.futures.ThreadPoolExecutor(1)

    def note(game):
        lengths[:] = [len(game)]

    def step():
        move = tf.argmax(tf.ones([1, 9]) @ policy, axis=1)
        pool.submit(note, move.numpy()).result()

    return step
