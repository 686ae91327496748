import numpy as np
import tensorflow as tf


def make_step():
    tf.keras.utils.set_random_seed(0)
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [tf.keras.Input([16]), layers.Dense(32, activation="relu"), layers.Dense(4)]
    )
    rows = np.random.default_rng(0).normal(size=[80, 32, 16]).astype(np.float32)
    number = 0

    def step():
        nonlocal number
        answers = model.predict(rows[number], verbose=0)
        number += 1
        return answers.mean()

    return step
