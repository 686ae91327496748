"""Coral bleaching forecasts, brought up to date survey by survey (incremental training)."""

import argparse

import keras
import numpy as np

SITES = 160
FEATURES = 10


def survey(number, rng):
    """One month: heat stress, turbidity and so on at each site, and the bleached share."""
    season = np.sin(2 * np.pi * number / 12)
    x = rng.normal(0, 1, (SITES, FEATURES)).astype(np.float32)
    x[:, 0] += 1.2 * season
    stress = 1.4 * x[:, 0] + 0.6 * x[:, 1] * x[:, 2] - 0.4 * x[:, 3] - 1.0
    y = 1 / (1 + np.exp(-stress + rng.normal(0, 0.3, SITES)))
    return x, y.astype(np.float32)[:, None]


class AlarmProbe(keras.callbacks.Callback):
    """After a fit, how well the alarm level would have been hit at the reference sites."""

    def __init__(self, x, y, level=0.5):
        super().__init__()
        self.x, self.y, self.level = x, y, level
        self.hit = 0.0

    def on_train_end(self, logs=None):
        share = self.model.predict(self.x, batch_size=SITES, verbose=0)
        self.hit = float(np.mean((share > self.level) == (self.y > self.level)))


def build(width):
    model = keras.Sequential(
        [
            keras.Input((FEATURES,)),
            keras.layers.Dense(width, activation="tanh"),
            keras.layers.Dense(width, activation="tanh"),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(keras.optimizers.SGD(0.05, momentum=0.8), loss="binary_crossentropy")
    return model


class Forecaster:
    def __init__(self, width, reference):
        self.model = build(width)
        self.reference = reference

    def take_in(self, x, y, epochs, callbacks=[]):
        probe = AlarmProbe(*self.reference)
        callbacks.append(probe)
        seen = self.model.fit(
            x, y, batch_size=32, epochs=epochs, callbacks=callbacks, verbose=0, shuffle=True
        )
        return seen.history["loss"][-1], probe.hit

    def skill(self, surveys):
        error = [np.mean(np.square(self.model.predict_on_batch(x) - y)) for x, y in surveys]
        base = [np.var(y) for _, y in surveys]
        return 1.0 - np.mean(error) / np.mean(base)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--months", type=int, default=20)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--width", type=int, default=32)
    args = parser.parse_args()

    keras.utils.set_random_seed(6)
    rng = np.random.default_rng(6)
    forecaster = Forecaster(args.width, reference=survey(3, rng))
    for month in range(args.months):
        x, y = survey(month, rng)
        loss, hit = forecaster.take_in(x, y, args.epochs)
        if month % 6 == 5:
            print(f"after {month + 1} months: loss {loss:.3f}, alarms right {hit:.3f}")
    later = [survey(args.months + i, rng) for i in range(6)]
    print(f"skill over the next half year: {forecaster.skill(later):.3f}")


if __name__ == "__main__":
    main()
