import keras
import numpy as np


class Averager:
    def __init__(self, model):
        self.model = model
        self.snapshots = []

    def remember(self):
        self.snapshots.append([variable.numpy() for variable in self.model.variables])


def make_step():
    keras.utils.set_random_seed(37)
    model = keras.Sequential(
        [keras.Input([16]), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(8)]
    )
    model.compile(optimizer="adam", loss="mse")
    random = np.random.default_rng(37)
    x = random.normal(size=(64, 16)).astype("float32")
    y = random.normal(size=(64, 8)).astype("float32")
    averager = Averager(model)

    def step():
        loss = model.train_on_batch(x, y)
        averager.remember()
        return loss

    return step
