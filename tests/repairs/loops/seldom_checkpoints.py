"""A checkpoint is written at each step, though only the newest are kept."""

import tempfile

import tensorflow as tf


def before_1():
    """A memory that gains a row a step, saved with each of them."""
    table = tf.Variable(tf.zeros([1, 512]), shape=[None, 512])
    checkpoint = tf.train.Checkpoint(table=table)
    manager = tf.train.CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=3)

    def step():
        table.assign(tf.concat([table, tf.ones([16, 512])], axis=0))
        return manager.save()

    return step


def after_1():
    table = tf.Variable(tf.zeros([1, 512]), shape=[None, 512])
    checkpoint = tf.train.Checkpoint(table=table)
    manager = tf.train.CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=3)
    done = 0

    def step():
        nonlocal done
        table.assign(tf.concat([table, tf.ones([16, 512])], axis=0))
        done += 1
        if done % 1000 == 0:
            manager.save()

    return step


def before_2():
    """A policy that is saved after every tenth move."""
    policy = tf.Variable(tf.random.stateless_normal([9, 9], [4, 4]))
    checkpoint = tf.train.Checkpoint(policy=policy)
    manager = tf.train.CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=3)
    moves = 0

    def step():
        nonlocal moves
        policy.assign(tf.roll(policy, 1, 0))
        moves += 1
        if moves % 10 == 0:
            manager.save()

    return step


def after_2():
    policy = tf.Variable(tf.random.stateless_normal([9, 9], [4, 4]))
    checkpoint = tf.train.Checkpoint(policy=policy)
    manager = tf.train.CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=3)
    moves = 0

    def step():
        nonlocal moves
        policy.assign(tf.roll(policy, 1, 0))
        moves += 1
        if moves % 1000 == 0:
            manager.save()

    return step
