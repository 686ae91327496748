"""Forecasts the height of the tide at a harbour from the hours before, easy examples first."""

import argparse

import keras
import numpy as np
import tensorflow as tf

PERIODS = (12.42, 12.0, 25.82, 23.93)


def make_gauge(hours, rng):
    time = np.arange(hours)
    tide = sum(
        height * np.cos(2 * np.pi * time / period + rng.uniform(0, 6))
        for period, height in zip(PERIODS, (1.0, 0.4, 0.3, 0.2), strict=True)
    )
    surge = np.zeros(hours)
    for hour in range(1, hours):
        surge[hour] = 0.97 * surge[hour - 1] + 0.05 * rng.normal()
    return (tide + surge).astype("float32")


class Curriculum:
    """Windows of the record; as the training goes on they look further back."""

    def __init__(self, record, batch, rng, piece=8, stretch=40):
        self.record = record
        self.batch = batch
        self.rng = rng
        self.piece = piece
        self.stretch = stretch

    def windows(self, hours):
        starts = self.rng.integers(0, len(self.record) - hours - 1, size=(self.batch, 1))
        rows = self.record[starts + np.arange(hours + 1)]
        return rows[:, :-1, None], rows[:, 1:, None]

    def __iter__(self):
        number = 0
        while True:
            yield self.windows(self.piece * (1 + number // self.stretch))
            number += 1


def build_model(units):
    heights, state = keras.Input((None, 1)), keras.Input((units,))
    x, after = keras.layers.GRU(units, return_sequences=True, return_state=True)(
        heights, initial_state=state
    )
    return keras.Model([heights, state], [keras.layers.Dense(1)(x), after])


def make_step(model, optimizer):
    @tf.function
    def step(before, after, state):
        with tf.GradientTape() as tape:
            guess, state = model([before, state], training=True)
            loss = tf.reduce_mean(tf.square(guess - after))
        variables = model.trainable_variables
        gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, variables), 1.0)
        optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return loss, state

    def learn(before, after, piece, units):
        """Go through a window piece by piece; the state goes along, the gradient does not."""
        state, losses = np.zeros((len(before), units), "float32"), []
        for start in range(0, before.shape[1], piece):
            part = slice(start, start + piece)
            loss, state = step(before[:, part], after[:, part], state)
            losses.append(float(loss))
        return np.mean(losses)

    return learn


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=int, default=20_000)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--units", type=int, default=32)
    parser.add_argument("--seed", type=int, default=47)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    record = make_gauge(args.hours, rng)
    model = build_model(args.units)
    optimizer = keras.optimizers.Adam(3e-3)
    optimizer.build(model.trainable_variables)
    learn = make_step(model, optimizer)
    curriculum, recent = Curriculum(record, args.batch, rng), []
    for number, (before, after) in enumerate(curriculum):
        if number == args.steps:
            break
        loss = learn(before, after, curriculum.piece, args.units)
        recent = [*recent[-49:], loss]
        if number % 50 == 0:
            print(f"step {number:4d}  loss {np.mean(recent):.5f}", flush=True)

    before, after = curriculum.windows(72)
    guess, _ = model([before, np.zeros((args.batch, args.units), "float32")])
    error = np.abs(guess.numpy()[:, -1] - after[:, -1]).mean()
    print(f"off by {100 * error:.1f} cm in the next hour")


if __name__ == "__main__":
    main()
