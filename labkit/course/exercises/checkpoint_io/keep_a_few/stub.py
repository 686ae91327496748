import tempfile

import tensorflow as tf

NAME = "weights/.ATTRIBUTES/VARIABLE_VALUE"


def make_step():
    folder = tempfile.mkdtemp()
    data = tf.random.stateless_normal([32, 16], seed=[0, 1])
    weights = tf.Variable(tf.ones([16, 1]))
    checkpoint = tf.train.Checkpoint(weights=weights)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=None)

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(data @ weights - 1.0))
        weights.assign_sub(0.05 * tape.gradient(loss, weights))
        manager.save()
        newest = tf.train.load_checkpoint(folder)  # so do the programs that wait for it
        return newest.get_tensor(NAME).sum()

    return step
