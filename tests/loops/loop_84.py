import tempfile

import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.random.stateless_normal([40, 4], [1, 1]))
    checkpoint = tf.train.Checkpoint(weights=weights)
    manager = tf.train.CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=2)
    done = 0

    @tf.function
    def train():
        weights.assign_sub(0.001 * weights)
        return tf.reduce_sum(tf.square(weights))

    def step():
        nonlocal done
        loss = train()
        done += 1
        if done % 80 == 0:
            manager.save()
        return loss

    return step
