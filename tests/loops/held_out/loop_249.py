import os
import tempfile

import tensorflow as tf


def make_step():
    folder = tempfile.mkdtemp()
    logs = []
    weights = tf.Variable(tf.random.stateless_normal([640, 640], [49, 1]) / 640)

    @tf.function
    def train():
        for _ in range(2):
            weights.assign_sub(0.001 * tf.matmul(weights, weights))
        return tf.norm(weights)

    def step():
        loss = float(train())
        log = open(os.path.join(folder, "train.log"), "a")  # noqa: SIM115
        log.write(f"{loss}\n")
        logs.append(log)
        return loss

    return step
