"""Forecast hourly power use; each day the model learns from the last two weeks again."""

import argparse

import numpy as np
from tensorflow import keras

HOURS = 24
WINDOW = 14


def make_series(days, seed):
    """Return power use by hour, with a day, a week and a slow drift in it."""
    random = np.random.default_rng(seed)
    hour = np.arange(days * HOURS)
    daily = np.sin(2 * np.pi * hour / HOURS)
    weekly = 0.5 * np.cos(2 * np.pi * hour / (7 * HOURS))
    drift = np.cumsum(random.normal(scale=0.01, size=len(hour)))
    return (daily + weekly + drift + random.normal(scale=0.1, size=len(hour))).astype("float32")


def examples(series, past):
    """Return each stretch of hours with the hour that follows it."""
    windows = np.lib.stride_tricks.sliding_window_view(series, past + 1)
    return windows[:, :-1].copy(), windows[:, -1].copy()


def make_model(past, width):
    model = keras.Sequential(
        [
            keras.layers.Input([past]),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(1),
        ]
    )
    model.compile(keras.optimizers.SGD(0.02), "mse")
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=330)
    parser.add_argument("--past", type=int, default=48)
    parser.add_argument("--width", type=int, default=96)
    args = parser.parse_args()
    keras.utils.set_random_seed(4)

    series = make_series(args.days, seed=1)
    model = make_model(args.past, args.width)
    scores = []
    for day in range(WINDOW, args.days):
        recent = series[(day - WINDOW) * HOURS : day * HOURS]
        inputs, targets = examples(recent, args.past)
        model.optimizer.learning_rate.assign(0.02 / (1 + day / 100))
        history = model.fit(inputs, targets, batch_size=48, verbose=0)
        scores.append(history.history["loss"][-1])
        if day % 30 == 0:
            print(f"day {day}: error {np.mean(scores[-30:]):.4f}")
    print(f"error over all days {np.mean(scores):.4f}")


if __name__ == "__main__":
    main()
