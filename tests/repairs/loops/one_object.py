"""A tf.function is handed an object of Python's that is made anew for each call."""

import tensorflow as tf


class Transition:
    def __init__(self, state, reward):
        self.state = state
        self.reward = reward


def before_1():
    """A policy that is handed a transition."""
    kernel = tf.Variable(tf.random.stateless_normal([6, 3], [1, 2]))
    state = tf.random.stateless_normal([2, 6], [3, 4])

    @tf.function
    def act(transition):
        logits = transition.state @ kernel
        return tf.argmax(logits * transition.reward, axis=1)

    def step():
        transition = Transition(state, tf.constant(1.0))
        return act(transition)

    return step


def after_1():
    kernel = tf.Variable(tf.random.stateless_normal([6, 3], [1, 2]))
    state = tf.random.stateless_normal([2, 6], [3, 4])

    @tf.function
    def act(state, reward):
        logits = state @ kernel
        return tf.argmax(logits * reward, axis=1)

    def step():
        transition = Transition(state, tf.constant(1.0))
        return act(transition.state, transition.reward)

    return step


class Augmenter:
    def __init__(self, strength):
        self.strength = strength

    def __call__(self, pictures):
        return pictures + self.strength * tf.random.stateless_normal(pictures.shape, [1, 1])


def before_2():
    """Pictures that are augmented by an object."""
    kernel = tf.Variable(tf.random.stateless_normal([48, 10], [2, 2]))
    pictures = tf.random.stateless_normal([8, 48], [3, 3])

    @tf.function
    def train(pictures, augmenter):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(augmenter(pictures) @ kernel))
        kernel.assign_sub(0.01 * tape.gradient(loss, kernel))
        return loss

    def step():
        return train(pictures, Augmenter(0.1))

    return step


def after_2():
    kernel = tf.Variable(tf.random.stateless_normal([48, 10], [2, 2]))
    pictures = tf.random.stateless_normal([8, 48], [3, 3])
    augmenter = Augmenter(0.1)

    @tf.function
    def train(pictures, augmenter):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(augmenter(pictures) @ kernel))
        kernel.assign_sub(0.01 * tape.gradient(loss, kernel))
        return loss

    def step():
        return train(pictures, augmenter)

    return step
