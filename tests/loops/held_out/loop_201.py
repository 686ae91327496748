import keras
import numpy as np


def make_step():
    keras.utils.set_random_seed(0)
    model = keras.Sequential(
        [
            keras.Input([32]),
            keras.layers.Dense(64, activation="relu"),
            keras.layers.Dropout(0.2),
            keras.layers.Dense(10, activation="softmax"),
        ]
    )
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    random = np.random.default_rng(0)
    images = random.random((2048, 32)).astype("float32")
    labels = random.integers(0, 10, 2048)
    position = 0

    def step():
        nonlocal position
        if position >= len(images):
            model.reset_metrics()
            position = 0
        rows = slice(position, position + 64)
        position += 64
        return model.train_on_batch(images[rows], labels[rows])

    return step
