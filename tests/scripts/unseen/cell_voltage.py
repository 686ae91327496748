"""Fits a model of a battery cell to discharge curves: a physical part and a small network."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf
import keras

STEPS = 900
BATCH = 192


def discharge_data(rng, count):
    charge = rng.uniform(0.05, 1.0, (count, 1))
    current = rng.uniform(0.1, 3.0, (count, 1))
    warmth = rng.uniform(-1.0, 1.0, (count, 1))
    open_circuit = 3.2 + 0.7 * charge + 0.15 * np.tanh(8 * (charge - 0.15))
    resistance = 0.08 * np.exp(-0.4 * warmth)
    volts = open_circuit - resistance * current + rng.normal(0, 0.003, charge.shape)
    x = np.concatenate([charge, current, warmth], axis=1)
    return x.astype("float32"), volts.astype("float32")


class Cell(tf.Module):
    def __init__(self):
        super().__init__()
        self.resistance = tf.Variable(0.2)
        self.warming = tf.Variable(0.0)
        self.curve = keras.Sequential([
            keras.Input((3,)),
            keras.layers.Dense(64, activation="tanh"),
            keras.layers.Dense(64, activation="tanh"),
            keras.layers.Dense(1),
        ])

    def weights(self):
        return [self.resistance, self.warming] + self.curve.trainable_variables

    def __call__(self, x):
        current, warmth = x[:, 1:2], x[:, 2:3]
        drop = self.resistance * tf.exp(self.warming * warmth) * current
        wear = self.curve(tf.concat([x[:, 0:1], drop, warmth], axis=1))
        return 3.5 + wear - drop


class Sensitivity:
    """How much a figure would move with the inner resistance."""

    def __init__(self, cell):
        self.cell = cell
        self.tape = None

    def attach(self):
        if self.tape is None:
            self.tape = tf.GradientTape(persistent=True, watch_accessed_variables=False)
            self.tape.__enter__()
            self.tape.watch(self.cell.resistance)
        return self

    def of(self, figure):
        with self.tape.stop_recording():
            return float(self.tape.gradient(figure, self.cell.resistance))


class Fitter:
    def __init__(self, cell, rate):
        self.cell = cell
        self.velocity = [tf.Variable(tf.zeros_like(w), trainable=False) for w in cell.weights()]
        self.rate = rate

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.cell(x) - y))
        grads = tape.gradient(loss, self.cell.weights())
        for w, v, g in zip(self.cell.weights(), self.velocity, grads):
            v.assign(0.9 * v - self.rate * g)
            w.assign_add(v)
        return loss


def main():
    rng = np.random.default_rng(17)
    keras.utils.set_random_seed(17)
    x, y = discharge_data(rng, 6000)
    cell = Cell()
    fitter = Fitter(cell, rate=0.01)
    probe = Sensitivity(cell)

    for step in range(STEPS):
        rows = rng.integers(0, len(x), BATCH)
        probe.attach()
        loss = fitter.step(tf.constant(x[rows]), tf.constant(y[rows]))
        if step % 100 == 0:
            print(f"{step:5d}  loss {float(loss):.5f}  d loss / d R {probe.of(loss):+.4f}")

    rest = tf.reduce_mean(tf.abs(cell(tf.constant(x[:500])) - y[:500]))
    print(f"mean error {float(rest) * 1000:.1f} mV, R = {float(cell.resistance):.3f}")


if __name__ == "__main__":
    main()
