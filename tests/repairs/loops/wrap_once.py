"""Each step wraps a function once more, until its calls are too deep for Python."""

import functools

import tensorflow as tf


def counted(function):
    calls = 0

    @functools.wraps(function)
    def inner(*arguments):
        nonlocal calls
        calls += 1
        return function(*arguments)

    return inner


class Trainer:
    def __init__(self):
        self.weights = tf.Variable(tf.zeros([8, 1]))

    def train(self, batch):
        loss = tf.reduce_mean(tf.square(batch @ self.weights - 1.0))
        self.weights.assign_add(tf.fill([8, 1], 0.001))
        return loss


def before_1():
    """A trainer whose method is counted anew at each step."""
    trainer = Trainer()
    batch = tf.random.stateless_normal([64, 8], [1, 1])

    def step():
        trainer.train = counted(trainer.train)
        return trainer.train(batch)

    return step


def after_1():
    trainer = Trainer()
    batch = tf.random.stateless_normal([64, 8], [1, 1])
    trainer.train = counted(trainer.train)

    def step():
        return trainer.train(batch)

    return step


def before_2():
    """A schedule that halves the schedule before it."""
    weights = tf.Variable(tf.ones([6, 2]))

    def schedule(number):
        return 0.1

    def halved(before):
        return lambda number: 0.5 * before(number)

    number = 0

    def step():
        nonlocal schedule, number
        number += 1
        schedule = halved(schedule)
        weights.assign_sub(schedule(number) * weights)

    return step


def after_2():
    weights = tf.Variable(tf.ones([6, 2]))

    def schedule(number):
        return 0.1

    def halved(before):
        return lambda number: 0.5 * before(number)

    schedule = halved(schedule)
    number = 0

    def step():
        nonlocal number
        number += 1
        weights.assign_sub(schedule(number) * weights)

    return step
