"""A checkpoint is written at each step, and all of them stay."""

import tempfile

import keras
import tensorflow as tf


def before_1():
    """A table of moves, saved by a manager that removes nothing."""
    kernel = tf.Variable(tf.zeros([3, 2]))
    moves = tf.Variable(0, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(kernel=kernel, moves=moves)
    manager = tf.train.CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=None)

    def step():
        kernel.assign_add(tf.fill([3, 2], 0.1))
        moves.assign_add(1)
        return manager.save()

    return step


def after_1():
    kernel = tf.Variable(tf.zeros([3, 2]))
    moves = tf.Variable(0, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(kernel=kernel, moves=moves)
    manager = tf.train.CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=3)
    done = 0

    def step():
        nonlocal done
        kernel.assign_add(tf.fill([3, 2], 0.1))
        moves.assign_add(1)
        done += 1
        if done % 1000 == 0:
            manager.save()

    return step


def before_2():
    """A model whose weights go to a file of their own at each step."""
    keras.utils.set_random_seed(2)
    model = keras.Sequential([keras.Input([6]), keras.layers.Dense(4)])
    rows = tf.random.stateless_normal([16, 6], [1, 1])
    folder = tempfile.mkdtemp()
    done = 0

    def step():
        nonlocal done
        loss = tf.reduce_mean(tf.square(model(rows)))
        model.save_weights(f"{folder}/step_{done}.weights.h5")
        done += 1
        return loss

    return step


def after_2():
    keras.utils.set_random_seed(2)
    model = keras.Sequential([keras.Input([6]), keras.layers.Dense(4)])
    rows = tf.random.stateless_normal([16, 6], [1, 1])
    folder = tempfile.mkdtemp()
    checkpoint = tf.train.Checkpoint(model=model)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=3)
    done = 0

    def step():
        nonlocal done
        loss = tf.reduce_mean(tf.square(model(rows)))
        if done % 1000 == 0:
            manager.save()
        done += 1
        return loss

    return step
