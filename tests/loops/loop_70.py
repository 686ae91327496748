import tensorflow as tf


def make_step():
    records = tf.data.Dataset.range(5_000_000).map(lambda number: tf.sqrt(tf.cast(number, "float")))
    consumed = 0

    def step():
        nonlocal consumed
        total = tf.constant(0.0)
        for value in records.skip(consumed).take(4):
            total += value
        consumed += 80
        return total

    return step
