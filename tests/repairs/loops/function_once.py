"""A tf.function is made anew at each step, and has no trace of what it was called with before."""

import tensorflow as tf


def before_1():
    """A linear model that asks a factory for its evaluation."""
    weights = tf.Variable(tf.ones([6, 2]))
    batch = tf.random.stateless_normal([16, 6], [0, 9])

    def make_evaluate(scale):
        @tf.function
        def evaluate(batch):
            errors = tf.square(scale * batch @ weights - 1.0)
            return tf.reduce_mean(errors), tf.reduce_max(errors)

        return evaluate

    def step():
        evaluate = make_evaluate(0.5)
        return evaluate(batch)

    return step


def after_1():
    weights = tf.Variable(tf.ones([6, 2]))
    batch = tf.random.stateless_normal([16, 6], [0, 9])

    def make_evaluate(scale):
        @tf.function
        def evaluate(batch):
            errors = tf.square(scale * batch @ weights - 1.0)
            return tf.reduce_mean(errors), tf.reduce_max(errors)

        return evaluate

    evaluate = make_evaluate(0.5)

    def step():
        return evaluate(batch)

    return step


class Player:
    def __init__(self):
        self.kernel = tf.Variable(tf.random.stateless_normal([9, 4], [1, 2]))

    def choose(self, board):
        return tf.argmax(tf.nn.softmax(board @ self.kernel), axis=1)


def before_2():
    """A player that is compiled where it is asked for its move."""
    player = Player()
    boards = tf.random.stateless_normal([32, 9], [4, 4])

    def step():
        return tf.function(player.choose)(boards)

    return step


def after_2():
    player = Player()
    boards = tf.random.stateless_normal([32, 9], [4, 4])
    choose = tf.function(player.choose)

    def step():
        return choose(boards)

    return step
