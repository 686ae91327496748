"""Every number of every op is checked at each step."""

import tensorflow as tf


def before_1():
    """A network of many layers, its numbers checked from a search for a NaN long ago."""
    tf.debugging.enable_check_numerics()
    layers = [tf.Variable(tf.random.stateless_normal([10, 10], [n, 1]) * 0.3) for n in range(20)]
    inputs = tf.random.stateless_normal([6, 10], [0, 0])

    def step():
        hidden = inputs
        for layer in layers:
            hidden = hidden + tf.tanh(hidden @ layer)
        loss = tf.reduce_mean(tf.square(hidden))
        layers[0].assign_sub(0.0001 * layers[0])
        return loss

    return step


def after_1():
    tf.debugging.disable_check_numerics()
    layers = [tf.Variable(tf.random.stateless_normal([10, 10], [n, 1]) * 0.3) for n in range(20)]
    inputs = tf.random.stateless_normal([6, 10], [0, 0])
    done = 0

    def step():
        nonlocal done
        hidden = inputs
        for layer in layers:
            hidden = hidden + tf.tanh(hidden @ layer)
        loss = tf.reduce_mean(tf.square(hidden))
        layers[0].assign_sub(0.0001 * layers[0])
        if done % 100 == 0:
            tf.debugging.check_numerics(loss, "loss")
        done += 1
        return loss

    return step


def before_2():
    """A pendulum that is followed in small steps of time, every number of them checked."""
    tf.debugging.enable_check_numerics()
    angle = tf.Variable(1.0)
    speed = tf.Variable(0.0)

    def step():
        for _ in range(20):
            speed.assign_sub(0.01 * tf.sin(angle))
            angle.assign_add(0.01 * speed)
        return angle

    return step


def after_2():
    tf.debugging.disable_check_numerics()
    angle = tf.Variable(1.0)
    speed = tf.Variable(0.0)
    done = 0

    def step():
        nonlocal done
        for _ in range(20):
            speed.assign_sub(0.01 * tf.sin(angle))
            angle.assign_add(0.01 * speed)
        if done % 100 == 0:
            tf.debugging.check_numerics(angle, "angle")
        done += 1
        return angle

    return step
