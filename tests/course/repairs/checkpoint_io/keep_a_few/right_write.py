# No manager: the same file is written anew at each step, and no index is kept.
import tempfile

import tensorflow as tf

NAME = "weights/.ATTRIBUTES/VARIABLE_VALUE"


def make_step():
    folder = tempfile.mkdtemp()
    data = tf.random.stateless_normal([32, 16], seed=[0, 1])
    weights = tf.Variable(tf.ones([16, 1]))
    checkpoint = tf.train.Checkpoint(weights=weights)

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(data @ weights - 1.0))
        weights.assign_sub(0.05 * tape.gradient(loss, weights))
        path = checkpoint.write(f"{folder}/newest")
        newest = tf.train.load_checkpoint(path)  # so do the programs that wait for it
        return newest.get_tensor(NAME).sum()

    return step
