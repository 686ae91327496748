"""Forecasts the load of a power grid from a live stream, learning a little at each reading."""

import argparse
import collections

import keras
import numpy as np
import tensorflow as tf

FEEDERS = 24


def readings(count, seed):
    rng = np.random.default_rng(seed)
    phase = rng.uniform(0, 2 * np.pi, FEEDERS)
    level = rng.uniform(0.5, 1.5, FEEDERS)
    drift = np.zeros(FEEDERS)
    for hour in range(count):
        drift = 0.98 * drift + 0.05 * rng.normal(size=FEEDERS)
        day = np.sin(2 * np.pi * hour / 24 + phase)
        week = 0.3 * np.cos(2 * np.pi * hour / 168)
        yield (level * (1 + day + week) + drift).astype("float32")


class Forecaster:
    """A recurrent cell that keeps its state from reading to reading."""

    def __init__(self, units, rate):
        self.cell = keras.layers.GRUCell(units)
        self.head = keras.layers.Dense(FEEDERS)
        self.cell.build((1, FEEDERS))
        self.head.build((1, units))
        self.optimizer = keras.optimizers.Adam(rate)
        self.state = tf.zeros((1, units))
        self.forecast = tf.zeros((1, FEEDERS))

    @property
    def variables(self):
        return self.cell.trainable_variables + self.head.trainable_variables

    def observe(self, load):
        output, (self.state,) = self.cell(load, [self.state])
        self.forecast = self.head(output)

    def learn(self, tape, loss):
        gradients = tape.gradient(loss, self.variables)
        gradients = [tf.zeros_like(v) if g is None else g for g, v in self.paired(gradients)]
        gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
        self.optimizer.apply_gradients(zip(gradients, self.variables, strict=True))
        return norm

    def paired(self, gradients):
        return zip(gradients, self.variables, strict=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=int, default=200)
    parser.add_argument("--units", type=int, default=48)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    model = Forecaster(args.units, args.rate)
    recent = collections.deque(maxlen=24)

    with tf.GradientTape(persistent=True) as tape:
        for hour, reading in enumerate(readings(args.hours, args.seed)):
            load = tf.constant(reading[None])
            error = tf.reduce_mean(tf.square(load - model.forecast))
            with tape.stop_recording():
                norm = model.learn(tape, error) if hour else 0.0
            model.observe(load)
            recent.append(float(error))
            if hour % 24 == 0:
                print(f"hour {hour:4d}  error {np.mean(recent):.4f}  gradient {float(norm):.3f}")

    print(f"error over the last day {np.mean(recent):.4f}")


if __name__ == "__main__":
    main()
