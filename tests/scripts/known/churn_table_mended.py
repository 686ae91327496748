"""Predict which customers leave, from a table, with Keras and a few callbacks."""

import argparse
from collections import deque

import keras
import numpy as np

COLUMNS = 60


def make_table(customers, seed):
    random = np.random.default_rng(seed)
    table = random.normal(size=(customers, COLUMNS)).astype("float32")
    effect = np.random.default_rng(0).normal(size=COLUMNS)
    chance = 1 / (1 + np.exp(-(table @ effect) / 3))
    return table, (random.random(customers) < chance).astype("float32")


def make_model(width):
    model = keras.Sequential(
        [
            keras.layers.Input([COLUMNS]),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dropout(0.2),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(keras.optimizers.Adam(1e-3), "binary_crossentropy", metrics=["accuracy"])
    return model


class WeightChange(keras.callbacks.Callback):
    """Tell after each epoch how far the weights moved in it."""

    def __init__(self):
        super().__init__()
        self.path = deque(maxlen=2)

    def on_train_begin(self, logs=None):
        self.path.append(self.flat_weights())

    def on_train_batch_end(self, batch, logs=None):
        self.path.append(self.flat_weights())

    def on_epoch_end(self, epoch, logs=None):
        moved = np.linalg.norm(self.path[-1] - self.path[-2])
        print(f"epoch {epoch + 1}: loss {logs['loss']:.4f}, last move {moved:.5f}")

    def flat_weights(self):
        return np.concatenate([weight.ravel() for weight in self.model.get_weights()])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--width", type=int, default=192)
    args = parser.parse_args()

    keras.utils.set_random_seed(3)
    table, left = make_table(200_000, seed=1)
    held_out = make_table(4_000, seed=2)
    model = make_model(args.width)
    model.fit(
        table,
        left,
        batch_size=args.batch,
        epochs=args.epochs,
        validation_data=held_out,
        verbose=0,
        callbacks=[
            WeightChange(),
            keras.callbacks.EarlyStopping(patience=8),
            keras.callbacks.ReduceLROnPlateau(factor=0.5, patience=3),
        ],
    )
    loss, accuracy = model.evaluate(*held_out, verbose=0)
    print(f"held out: loss {loss:.4f}, accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
