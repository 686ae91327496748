"""Predicts the wear of railway wheels from a long table on the disk, with Keras fit."""

import argparse
import pathlib
import tempfile

import keras
import numpy as np
import tensorflow as tf

SENSORS = 12


def write_table(path, rows, rng):
    readings = rng.normal(size=(rows, SENSORS))
    wear = readings[:, 0] * readings[:, 1] + np.abs(readings[:, 2]) + 0.1 * rng.normal(size=rows)
    np.savetxt(path, np.column_stack([readings, wear]), fmt="%.5f", delimiter=",")


class WheelTable:
    """Chunks of the table, so that it need not fit into the memory."""

    def __init__(self, path, rows, chunk):
        self.path = path
        self.chunk = chunk
        self.chunks = rows // chunk

    def load(self, number):
        table = np.loadtxt(
            self.path,
            delimiter=",",
            dtype="float32",
            skiprows=number * self.chunk,
            max_rows=self.chunk,
        )
        return table[:, :-1], table[:, -1:]

    def stream(self):
        while True:
            for number in range(self.chunks):
                yield self.load(number)


class WearModel(keras.Model):
    """Says how much wear and how sure it is, and learns from the likelihood."""

    def __init__(self, width):
        super().__init__()
        self.hidden = [keras.layers.Dense(width, activation="gelu") for _ in range(3)]
        self.out = keras.layers.Dense(2)
        self.likelihood = keras.metrics.Mean(name="likelihood")
        self.error = keras.metrics.MeanAbsoluteError(name="error")

    def call(self, readings):
        for layer in self.hidden:
            readings = layer(readings)
        wear, spread = tf.split(self.out(readings), 2, axis=1)
        return wear, tf.nn.softplus(spread) + 1e-3

    def train_step(self, data):
        readings, wear = data
        with tf.GradientTape() as tape:
            guess, spread = self(readings, training=True)
            likelihood = -tf.math.log(spread) - 0.5 * tf.square((wear - guess) / spread)
            loss = -tf.reduce_mean(likelihood)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        self.likelihood.update_state(likelihood)
        self.error.update_state(wear, guess)
        return {metric.name: metric.result() for metric in (self.likelihood, self.error)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=192_000)
    parser.add_argument("--chunk", type=int, default=128)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--seed", type=int, default=61)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "wheels.csv"
        write_table(path, args.rows, np.random.default_rng(args.seed))
        table = WheelTable(path, args.rows, args.chunk)
        model = WearModel(args.width)
        model.compile(optimizer=keras.optimizers.Adam(1e-3))
        history = model.fit(table.stream(), steps_per_epoch=table.chunks, epochs=1, verbose=2)
        readings, wear = table.load(table.chunks - 1)
    guess, spread = model(readings)
    error = np.abs(guess.numpy() - wear).mean()
    print(
        f"likelihood {history.history['likelihood'][-1]:.3f}, error on the last chunk {error:.3f}"
    )
    print(f"mean spread {spread.numpy().mean():.3f}")


if __name__ == "__main__":
    main()
