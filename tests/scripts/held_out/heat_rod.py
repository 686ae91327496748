"""Solves the heat equation on a rod with a network, step by step and in plain eager mode."""

import argparse

import keras
import numpy as np
import tensorflow as tf


def build_network(width, depth, seed):
    keras.utils.set_random_seed(seed)
    hidden = [keras.layers.Dense(width, activation="tanh") for _ in range(depth)]
    return keras.Sequential([keras.Input((2,)), *hidden, keras.layers.Dense(1)])


def exact(place, time, conductivity):
    return np.exp(-conductivity * np.pi**2 * time) * np.sin(np.pi * place)


class Rod:
    """What must hold inside the rod, at its ends and at the start."""

    def __init__(self, network, conductivity, points, rng):
        self.network = network
        self.conductivity = conductivity
        self.points = points
        self.rng = rng

    def draw(self):
        """Give the points where the equation is asked for, new ones every time."""
        place, time = self.rng.uniform(size=(2, self.points, 1)).astype("float32")
        return tf.constant(place), tf.constant(time)

    def residual(self, place, time):
        with tf.GradientTape() as second:
            second.watch([place, time])
            with tf.GradientTape(persistent=True) as first:
                first.watch([place, time])
                heat = self.network(tf.concat([place, time], axis=1))
            by_place = first.gradient(heat, place)
            by_time = first.gradient(heat, time)
        curve = second.gradient(by_place, place)
        del first
        return by_time - self.conductivity * curve

    def bounds(self, place, time):
        ends = tf.concat([tf.round(place), time], axis=1)
        start = tf.concat([place, tf.zeros_like(time)], axis=1)
        at_start = self.network(start) - tf.sin(np.pi * place)
        return tf.reduce_mean(tf.square(self.network(ends))) + tf.reduce_mean(tf.square(at_start))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--width", type=int, default=24)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--conductivity", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=73)
    args = parser.parse_args()

    network = build_network(args.width, args.depth, args.seed)
    rod = Rod(network, args.conductivity, args.points, np.random.default_rng(args.seed))
    optimizer = keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(5e-3, args.steps))
    inside_losses, bound_losses = [], []

    for step in range(args.steps):
        place, time = rod.draw()
        with tf.GradientTape(persistent=True) as tape:
            inside = tf.reduce_mean(tf.square(rod.residual(place, time)))
            bound = rod.bounds(place, time)
        variables = network.trainable_variables
        first = tape.gradient(inside, variables)
        second = tape.gradient(bound, variables)
        del tape
        pairs = zip(first, second, strict=True)
        gradients = [10 * b if a is None else a + 10 * b for a, b in pairs]
        optimizer.apply_gradients(zip(gradients, variables, strict=True))
        inside_losses.append(float(inside))
        bound_losses.append(float(bound))
        if step % 50 == 0:
            recent = np.mean(inside_losses[-50:]), np.mean(bound_losses[-50:])
            print(f"step {step:4d}  inside {recent[0]:.5f}  bounds {recent[1]:.5f}", flush=True)

    place, time = np.meshgrid(np.linspace(0, 1, 30), np.linspace(0, 1, 30))
    grid = np.column_stack([place.ravel(), time.ravel()]).astype("float32")
    error = network(grid).numpy()[:, 0] - exact(grid[:, 0], grid[:, 1], args.conductivity)
    print(f"largest error {np.abs(error).max():.4f}")


if __name__ == "__main__":
    main()
