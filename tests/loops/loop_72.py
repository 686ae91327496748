import tensorflow as tf


def make_step():
    examples = tf.data.Dataset.range(30_000).shuffle(30_000, seed=12)
    examples = examples.batch(50, drop_remainder=True).repeat()
    batches = iter(examples)
    total = tf.Variable(tf.zeros([], tf.int64))

    def step():
        return total.assign_add(tf.reduce_sum(next(batches)))

    return step
