import keras
import numpy as np


def make_step():
    keras.utils.set_random_seed(4)
    agent = keras.Sequential(
        [keras.Input([14]), keras.layers.Dense(24, activation="relu"), keras.layers.Dense(4)]
    )
    observation = np.linspace(0, 1, 14, dtype="float32")[None]

    def step():
        values = agent(observation, training=False)
        return int(np.argmax(values[0]))

    return step
