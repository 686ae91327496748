"""Forecasts the yield of vineyards from a season of weather, in a way that can be resumed."""
import argparse
import json
import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
from keras import layers

WEEKS, SENSORS = 26, 5


def seasons(seed, count):
    rng = np.random.default_rng(seed)
    weather = rng.normal(size=(count, WEEKS, SENSORS)).cumsum(axis=1) / 4
    frost = np.clip(-weather[:, 4:9, 0], 0, None).sum(axis=1)
    sun = weather[:, 10:20, 1].mean(axis=1)
    rain = np.abs(weather[:, 18:, 2]).mean(axis=1)
    tons = 6 + 1.2 * sun - 0.4 * frost - 0.7 * rain + rng.normal(0, 0.1, count)
    return weather.astype("float32"), tons.astype("float32")[:, None]


class Resumable(keras.callbacks.Callback):
    """Leaves a file behind from which a run that was cut off goes on."""

    def __init__(self, folder):
        super().__init__()
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.state = {}
        self.seen = 0

    def remember(self, logs):
        head = self.model.layers[-1].get_weights()
        self.state[f"{self.seen:06d}/loss"] = np.float32(logs["loss"])
        self.state[f"{self.seen:06d}/head"] = head[0]

    def write(self):
        scratch = self.folder / "resume.tmp.npz"
        weights = {f"w{i}": w for i, w in enumerate(self.model.get_weights())}
        np.savez(scratch, **weights, **self.state)
        scratch.replace(self.folder / "resume.npz")

    def on_train_batch_end(self, batch, logs=None):
        self.seen += 1
        self.remember(logs)
        self.write()

    def on_train_end(self, logs=None):
        (self.folder / "done.json").write_text(json.dumps({"batches": self.seen}))


class Halve(keras.callbacks.Callback):
    def __init__(self, every):
        super().__init__()
        self.every = every

    def on_epoch_end(self, epoch, logs=None):
        if (epoch + 1) % self.every == 0:
            rate = self.model.optimizer.learning_rate
            rate.assign(rate * 0.5)


def build():
    season = keras.Input((WEEKS, SENSORS))
    x = layers.Conv1D(24, 5, activation="relu")(season)
    x = layers.Conv1D(24, 3, activation="relu")(x)
    x = layers.GlobalAveragePooling1D()(x)
    x = layers.Dropout(0.1)(x)
    x = layers.Dense(32, activation="relu")(x)
    model = keras.Model(season, layers.Dense(1)(x))
    model.compile(optimizer=keras.optimizers.Adam(2e-3), loss="mse", metrics=["mae"])
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--out", default="vine_yield_out")
    args = parser.parse_args()
    keras.utils.set_random_seed(5)

    x, y = seasons(1, 1920)
    model = build()
    history = model.fit(
        x, y,
        batch_size=32,
        epochs=args.epochs,
        validation_data=seasons(2, 320),
        callbacks=[Resumable(args.out), Halve(4)],
        verbose=2,
    )
    print("best error on new seasons:", round(min(history.history["val_mae"]), 3), "t/ha")


if __name__ == "__main__":
    main()
