import gc

import numpy as np
import tensorflow as tf


class Rollout:
    def __init__(self, frames):
        self.frames = frames
        self.view = self


def make_step():
    gc.disable()
    weights = tf.Variable(tf.random.stateless_normal([10, 1], [48, 1]))
    mixing = tf.random.stateless_normal([640, 640], [48, 2]) / 640

    @tf.function
    def train(batch):
        norm = tf.norm(mixing @ mixing @ mixing)
        weights.assign_sub(1e-4 * tf.reduce_mean(batch, axis=0)[:, None])
        return tf.norm(weights) + norm

    def step():
        rollout = Rollout(np.ones((1_000, 10), "float32"))
        return train(tf.convert_to_tensor(rollout.frames[:50]))

    return step
