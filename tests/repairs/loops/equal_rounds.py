"""A compiled function goes round more often at each step."""

import tensorflow as tf


def before_1():
    """A controller that looks one moment further ahead at each step."""
    gain = tf.Variable(tf.random.stateless_normal([12, 12], [4, 1]) * 0.05)
    start = tf.random.stateless_normal([64, 12], [4, 2])
    ahead = 6

    @tf.function
    def train(horizon):
        with tf.GradientTape() as tape:
            state, cost = start, tf.constant(0.0)
            for _ in tf.range(horizon):
                state = tf.tanh(0.98 * state + state @ gain)
                cost += tf.reduce_mean(tf.square(state))
            cost /= tf.cast(horizon, tf.float32)
        gain.assign_sub(0.001 * tape.gradient(cost, gain))
        return cost

    def step():
        nonlocal ahead
        ahead += 1
        return train(tf.constant(ahead))

    return step


def after_1():
    gain = tf.Variable(tf.random.stateless_normal([12, 12], [4, 1]) * 0.05)
    start = tf.random.stateless_normal([64, 12], [4, 2])
    most = 20
    ahead = 6

    @tf.function
    def train(horizon):
        horizon = tf.minimum(horizon, most)
        with tf.GradientTape() as tape:
            state, cost = start, tf.constant(0.0)
            for _ in tf.range(horizon):
                state = tf.tanh(0.98 * state + state @ gain)
                cost += tf.reduce_mean(tf.square(state))
            cost /= tf.cast(horizon, tf.float32)
        gain.assign_sub(0.001 * tape.gradient(cost, gain))
        return cost

    def step():
        nonlocal ahead
        ahead += 1
        return train(tf.constant(ahead))

    return step


def before_2():
    """A field that is relaxed for one round more with each source that is placed in it."""
    field = tf.Variable(tf.zeros([48, 48]))
    rounds = tf.Variable(4)

    @tf.function
    def settle():
        rounds.assign_add(1)
        now = tf.tensor_scatter_nd_add(field, [[24, 24]], [1.0])
        for _ in tf.range(rounds):
            now = 0.2 * (
                now
                + tf.roll(now, 1, 0)
                + tf.roll(now, -1, 0)
                + tf.roll(now, 1, 1)
                + tf.roll(now, -1, 1)
            )
        field.assign(now)
        return tf.reduce_max(now)

    def step():
        return settle()

    return step


def after_2():
    field = tf.Variable(tf.zeros([48, 48]))
    rounds = 24

    @tf.function
    def settle():
        now = tf.tensor_scatter_nd_add(field, [[24, 24]], [1.0])
        for _ in tf.range(rounds):
            now = 0.2 * (
                now
                + tf.roll(now, 1, 0)
                + tf.roll(now, -1, 0)
                + tf.roll(now, 1, 1)
                + tf.roll(now, -1, 1)
            )
        field.assign(now)
        return tf.reduce_max(now)

    def step():
        return settle()

    return step
