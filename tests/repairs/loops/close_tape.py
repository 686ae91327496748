"""A tape goes on recording from step to step."""

import tensorflow as tf


def before_1():
    """An embedding that is pulled to a place, on one tape for all steps."""
    embedding = tf.Variable(tf.random.stateless_normal([12], [1, 8]))
    tape = tf.GradientTape(persistent=True)

    def step():
        with tape:
            distance = tf.reduce_mean(tf.square(tf.tanh(embedding) - 0.25))
        gradient = tape.gradient(distance, embedding)
        embedding.assign_sub(0.05 * gradient)
        return distance

    return step


def after_1():
    embedding = tf.Variable(tf.random.stateless_normal([12], [1, 8]))

    def step():
        with tf.GradientTape() as tape:
            distance = tf.reduce_mean(tf.square(tf.tanh(embedding) - 0.25))
        gradient = tape.gradient(distance, embedding)
        embedding.assign_sub(0.05 * gradient)
        return distance

    return step


def before_2():
    """A forecast of a series, trained within one tape, its state handed on from hour to hour."""
    cell = tf.Variable(tf.random.stateless_normal([8, 8], [4, 1]) * 0.2)
    hours = tf.random.stateless_normal([64, 8], [4, 2])

    def training():
        state = tf.zeros([1, 8])
        hour = 0
        with tf.GradientTape(persistent=True) as tape:
            while True:
                state = tf.tanh(state @ cell + hours[hour % 64])
                hour += 1
                loss = tf.reduce_mean(tf.square(state - hours[hour % 64]))
                gradients = tape.gradient(loss, [cell])
                cell.assign_sub(0.001 * gradients[0])
                yield loss

    turns = training()
    return lambda: next(turns)


def after_2():
    cell = tf.Variable(tf.random.stateless_normal([8, 8], [4, 1]) * 0.2)
    hours = tf.random.stateless_normal([64, 8], [4, 2])

    def training():
        state = tf.zeros([1, 8])
        hour = 0
        while True:
            with tf.GradientTape() as tape:
                state = tf.tanh(state @ cell + hours[hour % 64])
                hour += 1
                loss = tf.reduce_mean(tf.square(state - hours[hour % 64]))
            gradients = tape.gradient(loss, [cell])
            cell.assign_sub(0.001 * gradients[0])
            yield loss

    turns = training()
    return lambda: next(turns)
