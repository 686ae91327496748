import numpy as np
import tensorflow as tf


def equalise(signal):
    values = signal.numpy()
    return (values - values.mean()) / (values.std() + 1e-6)


def make_step():
    random = np.random.default_rng(8)
    recordings = tf.constant(random.normal(size=(20, 1500)).astype("float32"))
    position = 0

    def step():
        nonlocal position
        position = (position + 1) % 20
        return tf.py_function(equalise, [recordings[position]], tf.float32)

    return step
