import numpy as np
import tensorflow as tf


def make_step():
    random = np.random.default_rng(21)
    pixels = random.random((320, 48)).astype("float32")
    labels = random.integers(0, 10, 320)
    training = tf.data.Dataset.from_tensor_slices((pixels, labels)).shuffle(320, seed=2).batch(80)

    def step():
        mean = 0.0
        for images, _ in training:
            mean += float(tf.reduce_mean(images))
        return mean / 4

    return step
