"""python -m tram_delay.train"""
import argparse
import logging
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
from keras import layers

from .hooks import Run
from .timetable import ABOUT_STOP, STOPS, runs


def build(rate):
    model = keras.Sequential([
        keras.Input((STOPS, ABOUT_STOP)),
        layers.Conv1D(32, 3, padding="causal", activation="relu"),
        layers.Conv1D(32, 3, padding="causal", dilation_rate=2, activation="relu"),
        layers.Conv1D(32, 3, padding="causal", dilation_rate=4, activation="relu"),
        layers.Dense(1),
        layers.Reshape((STOPS,)),
    ])
    model.compile(optimizer=keras.optimizers.Adam(rate, clipnorm=1.0), loss="mse")
    return model


def mean_of(many):
    return [np.mean(weights, axis=0) for weights in zip(*many)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=2400)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=2e-3)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    keras.utils.set_random_seed(59)

    rng = np.random.default_rng(59)
    test_x, test_y = runs(np.random.default_rng(60), 1000)
    model = build(args.rate)
    run = Run(model, args.rate)
    for _ in range(args.steps):
        x, y = runs(rng, args.batch)
        run.after(model.train_on_batch(x, y))

    single = model.evaluate(test_x, test_y, verbose=0)
    model.set_weights(mean_of(run.past))
    logging.info("new runs: %.4f, with the mean of the last weights %.4f",
                 single, model.evaluate(test_x, test_y, verbose=0))


if __name__ == "__main__":
    main()
