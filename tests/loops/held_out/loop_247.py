import json
import os
import tempfile

import keras
import numpy as np


def make_step():
    keras.utils.set_random_seed(47)
    model = keras.Sequential([keras.Input([8]), keras.layers.Dense(16), keras.layers.Dense(4)])
    model.compile(optimizer="sgd", loss="mse")
    random = np.random.default_rng(47)
    x = random.normal(size=(32, 8)).astype("float32")
    y = random.normal(size=(32, 4)).astype("float32")
    path = os.path.join(tempfile.mkdtemp(), "history.json")
    history = []

    def step():
        loss = float(model.train_on_batch(x, y))
        norms = [float(np.linalg.norm(weights)) for weights in model.get_weights()]
        history.append({"loss": loss, "norms": norms, "bias": model.get_weights()[-1].tolist()})
        with open(path, "w") as file:
            json.dump(history, file)
        return loss

    return step
