import keras
import numpy as np


class OutputLog(keras.callbacks.Callback):
    def __init__(self, samples):
        super().__init__()
        self.samples = samples
        self.outputs = []

    def on_epoch_end(self, epoch, logs=None):
        self.outputs.append(self.model(self.samples))


def make_step():
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input([8]), keras.layers.Dense(40, activation="softmax")])
    model.compile(optimizer="rmsprop", loss="categorical_crossentropy")
    random = np.random.default_rng(1)
    samples = random.random((96, 8)).astype("float32")
    labels = np.eye(40, dtype="float32")[random.integers(0, 40, 96)]
    log = OutputLog(samples)

    def step():
        return model.fit(samples, labels, batch_size=48, verbose=0, callbacks=[log])

    return step
