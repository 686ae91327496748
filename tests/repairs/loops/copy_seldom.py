"""Each step copies much out of TensorFlow that nobody looks at, or could be done there."""

import tensorflow as tf


def before_1():
    """Vectors of words, of which a step picks some by their numbers, in NumPy."""
    vectors = tf.random.stateless_normal([60_000, 64], [1, 1])
    kernel = tf.Variable(tf.random.stateless_normal([64, 4], [2, 2]))
    done = 0

    def step():
        nonlocal done
        done += 1
        words = [done % 60_000, 5 * done % 60_000, 17 * done % 60_000]
        asked = vectors.numpy()[words]
        return tf.reduce_mean(asked @ kernel)

    return step


def after_1():
    vectors = tf.random.stateless_normal([60_000, 64], [1, 1])
    kernel = tf.Variable(tf.random.stateless_normal([64, 4], [2, 2]))
    done = 0

    def step():
        nonlocal done
        done += 1
        words = [done % 60_000, 5 * done % 60_000, 17 * done % 60_000]
        asked = tf.gather(vectors, words)
        return tf.reduce_mean(asked @ kernel)

    return step


def before_2():
    """Particles that are moved in NumPy, and whose field TensorFlow computes."""
    places = tf.random.stateless_uniform([1_000_000], [3, 3])

    def step():
        nonlocal places
        host = places.numpy()
        host[:1000] += 0.01
        places = tf.constant(host)
        return tf.reduce_sum(places[:4000])

    return step


def after_2():
    places = tf.Variable(tf.random.stateless_uniform([1_000_000], [3, 3]))

    def step():
        places[:1000].assign(places[:1000] + 0.01)
        return tf.reduce_sum(places[:4000])

    return step
