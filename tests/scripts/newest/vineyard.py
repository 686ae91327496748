"""Estimate the sugar of grapes from hyperspectral readings; Keras fit with the usual callbacks."""

import argparse
import pathlib
import shutil
import tempfile

import keras
import numpy as np
import tensorflow as tf

CHANNELS = 90


def readings(n, rng):
    brix = rng.normal(20, 3, n)
    wave = np.linspace(0, 1, CHANNELS)
    band = np.exp(-(((wave - 0.55) / 0.1) ** 2))
    water = np.exp(-(((wave - 0.8) / 0.06) ** 2))
    x = 0.05 * brix[:, None] * band + rng.uniform(0.3, 0.9, (n, 1)) * water
    x += rng.normal(0, 0.08, x.shape)
    return x.astype(np.float32), ((brix - 20) / 3).astype(np.float32)


class Logbook(keras.callbacks.Callback):
    """Collects the losses of an epoch's batches and writes their quantiles when it is over."""

    def __init__(self, folder):
        super().__init__()
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "log.csv"
        self.losses = []

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(logs["loss"])

    def on_epoch_end(self, epoch, logs=None):
        low, mid, high = np.quantile(self.losses, [0.1, 0.5, 0.9])
        bars = []
        for weight in self.model.trainable_weights:
            counts, _ = np.histogram(weight.numpy(), bins=20)
            bars.append("|".join(map(str, counts)))
        with open(self.file, "a") as out:
            print(epoch, f"{low:.5f}", f"{mid:.5f}", f"{high:.5f}", *bars, sep=",", file=out)
        self.losses = []


class Snapshots(keras.callbacks.Callback):
    def __init__(self, folder, every):
        super().__init__()
        self.folder, self.every = folder, every

    def on_epoch_begin(self, epoch, logs=None):
        if epoch == 0:
            checkpoint = tf.train.Checkpoint(model=self.model)
            self.manager = tf.train.CheckpointManager(checkpoint, self.folder, max_to_keep=2)

    def on_epoch_end(self, epoch, logs=None):
        if epoch % self.every == self.every - 1:
            self.manager.save()
            print(f"epoch {epoch + 1:3d}  loss {logs['loss']:.4f}")


def build(width):
    model = keras.Sequential(
        [
            keras.Input((CHANNELS,)),
            keras.layers.GaussianNoise(0.02),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(1),
        ]
    )
    model.compile(optimizer=keras.optimizers.AdamW(1e-3), loss="mse")
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--width", type=int, default=64)
    args = parser.parse_args()

    keras.utils.set_random_seed(9)
    rng = np.random.default_rng(9)
    x, y = readings(5000, rng)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="vineyard-"))
    model = build(args.width)
    callbacks = [
        Logbook(folder / "log"),
        Snapshots(folder / "states", every=5),
        keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=3),
    ]
    try:
        model.fit(
            x, y, batch_size=args.batch, epochs=args.epochs, callbacks=callbacks, verbose=0
        )
        x_new, y_new = readings(1000, rng)
        off = 3 * np.abs(model.predict(x_new, batch_size=500, verbose=0)[:, 0] - y_new)
        print(f"mean error {off.mean():.2f} degrees Brix")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
