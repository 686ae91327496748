"""Predict house prices with Keras, validate each epoch and keep the best model on disk."""

import argparse
import tempfile
from collections import deque
from pathlib import Path

import keras
import numpy as np

ROOMS = 24


def make_houses(count, seed):
    random = np.random.default_rng(seed)
    houses = random.normal(size=(count, ROOMS)).astype("float32")
    worth = np.random.default_rng(0).normal(size=(ROOMS, 8))
    prices = np.tanh(houses @ worth).sum(axis=1) + random.normal(scale=0.3, size=count)
    return houses, prices.astype("float32")


def make_model(width):
    model = keras.Sequential(
        [
            keras.layers.Input([ROOMS]),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.BatchNormalization(),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(1),
        ]
    )
    model.compile(keras.optimizers.Adam(1e-3), "mse", metrics=["mae"])
    return model


class Progress(keras.callbacks.Callback):
    """Say how training goes, by the newest batches."""

    def __init__(self, newest):
        super().__init__()
        self.losses = deque(maxlen=newest)
        self.batches = 0

    def on_train_batch_end(self, batch, logs=None):
        self.batches += 1
        self.losses.append(logs["loss"])

    def on_epoch_end(self, epoch, logs=None):
        newest = np.mean(self.losses)
        print(f"{self.batches} batches: {newest:.3f}, validation {logs['val_loss']:.3f}")


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--width", type=int, default=512)
    return parser.parse_args()


def main():
    args = parse_args()
    keras.utils.set_random_seed(5)
    houses, prices = make_houses(120_000, seed=1)
    model = make_model(args.width)
    with tempfile.TemporaryDirectory() as folder:
        best, table = Path(folder) / "best.keras", Path(folder) / "history.csv"
        model.fit(
            houses,
            prices,
            batch_size=args.batch,
            epochs=args.epochs,
            validation_split=0.2,
            verbose=0,
            callbacks=[
                keras.callbacks.ModelCheckpoint(best, save_best_only=True),
                keras.callbacks.EarlyStopping(patience=4),
                keras.callbacks.ReduceLROnPlateau(patience=2, factor=0.5),
                keras.callbacks.CSVLogger(table),
                Progress(newest=100),
            ],
        )
        model = keras.models.load_model(best)
    loss, error = model.evaluate(*make_houses(4000, seed=2), verbose=0)
    print(f"new houses: loss {loss:.3f}, mean error {error:.3f}")


if __name__ == "__main__":
    main()
