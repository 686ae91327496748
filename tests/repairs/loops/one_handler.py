"""A log handler is added at each step, and every message passes all of them."""

import io
import logging

import tensorflow as tf


def before_1():
    """A regression whose step sets its logger up."""
    weights = tf.Variable(tf.zeros([8, 1]))
    batch = tf.random.stateless_normal([64, 8], [1, 1])
    out = io.StringIO()

    def step():
        logger = logging.getLogger("regression")
        logger.propagate = False
        logger.addHandler(logging.StreamHandler(out))
        loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        logger.warning("loss %f", loss)
        out.seek(0)
        out.truncate()

    return step


def after_1():
    weights = tf.Variable(tf.zeros([8, 1]))
    batch = tf.random.stateless_normal([64, 8], [1, 1])
    out = io.StringIO()
    logger = logging.getLogger("regression")
    logger.propagate = False
    logger.addHandler(logging.StreamHandler(out))

    def step():
        loss = tf.reduce_mean(tf.square(batch @ weights - 1.0))
        logger.warning("loss %f", loss)
        out.seek(0)
        out.truncate()

    return step


class Quiet(logging.Handler):
    def emit(self, record):
        self.format(record)


def get_logger(name):
    logger = logging.getLogger(name)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(Quiet())
    return logger


def before_2():
    """Players that ask for their logger for each game."""
    policy = tf.Variable(tf.random.stateless_normal([9, 9], [4, 4]))

    def play(board):
        logger = get_logger("games")
        move = tf.argmax(board @ policy, axis=1)
        logger.info("move %d", int(move[0]))
        return move

    def step():
        return play(tf.ones([1, 9]))

    return step


def after_2():
    policy = tf.Variable(tf.random.stateless_normal([9, 9], [4, 4]))
    logger = get_logger("games")

    def play(board):
        move = tf.argmax(board @ policy, axis=1)
        logger.info("move %d", int(move[0]))
        return move

    def step():
        return play(tf.ones([1, 9]))

    return step
