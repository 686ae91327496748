import collections

import keras
import numpy as np


def make_step():
    keras.utils.set_random_seed(10)
    q_network = keras.Sequential(
        [keras.Input([4]), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(2)]
    )
    q_network.compile(optimizer="adam", loss="huber")
    random = np.random.default_rng(10)
    memory = collections.deque(maxlen=256)
    state = random.normal(size=4).astype("float32")

    def step():
        nonlocal state
        for _ in range(16):
            action = random.integers(0, 2)
            following = (0.9 * state + 0.1 * random.normal(size=4)).astype("float32")
            memory.append((state, action, float(following[0]), following))
            state = following
        chosen = random.integers(0, len(memory), 32)
        states = np.stack([memory[index][0] for index in chosen])
        targets = np.array([[memory[index][2]] * 2 for index in chosen], "float32")
        return q_network.train_on_batch(states, targets)

    return step
