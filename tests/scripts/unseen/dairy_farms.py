"""Federated training over dairy farms: each round one farm goes on with the common network."""
import argparse
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
from keras import layers

SIGNALS = ("rumination", "steps", "temperature", "milk", "conductivity", "weight")


class Farm:
    """Cows of one farm: signals of ten days, and whether mastitis follows."""

    def __init__(self, number, cows=320):
        rng = np.random.default_rng(number)
        ill = rng.random(cows) < 0.3
        days = rng.normal(rng.normal(0, 0.3, len(SIGNALS)), 1.0, (cows, 10, len(SIGNALS)))
        course = np.linspace(0, 1.5, 10)[None, :]
        days[:, :, 2] += ill[:, None] * course
        days[:, :, 4] += ill[:, None] * course
        days[:, :, 3] -= ill[:, None] * course
        self.name = f"farm {number:02d}"
        self.x = days.reshape(cows, -1).astype("float32")
        self.y = ill.astype("float32")[:, None]


class WeightWatch(keras.callbacks.Callback):
    """Notes how the weights of the network are spread while it visits a farm."""

    def __init__(self, name, bins=30):
        super().__init__()
        self.name = name
        self.edges = np.linspace(-1, 1, bins + 1)
        self.spread = []

    def on_train_batch_end(self, batch, logs=None):
        counts = [np.histogram(w, self.edges)[0] for w in self.model.get_weights()]
        self.spread.append(max(int((c > 0).sum()) for c in counts))

    def on_train_end(self, logs=None):
        self.spread = self.spread[-1:]


def watchers(farm, watching=[]):
    watching.append(WeightWatch(farm.name))
    return watching


def build():
    model = keras.Sequential([
        keras.Input((10 * len(SIGNALS),)),
        layers.Dense(96, activation="relu"),
        layers.Dense(48, activation="relu"),
        layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(optimizer=keras.optimizers.SGD(0.03, momentum=0.8),
                  loss="binary_crossentropy", metrics=["accuracy"])
    return model


def blend(common, local, share):
    return [(1 - share) * c + share * w for c, w in zip(common, local)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--farms", type=int, default=12)
    parser.add_argument("--share", type=float, default=0.4)
    args = parser.parse_args()

    keras.utils.set_random_seed(37)
    rng = np.random.default_rng(37)
    farms = [Farm(number) for number in range(args.farms)]
    held_back = Farm(1000, cows=600)
    model = build()
    common = model.get_weights()

    for number in range(1, args.rounds + 1):
        farm = farms[rng.integers(args.farms)]
        model.set_weights(common)
        visit = model.fit(farm.x, farm.y, batch_size=16, epochs=1, verbose=0,
                          callbacks=watchers(farm))
        common = blend(common, model.get_weights(), args.share)
        if number % 10 == 0:
            model.set_weights(common)
            loss, right = model.evaluate(held_back.x, held_back.y, batch_size=200, verbose=0)
            print(f"round {number:3d}  {farm.name}  loss there {visit.history['loss'][-1]:.3f}"
                  f"  elsewhere {loss:.3f}  right {right:.3f}")


if __name__ == "__main__":
    main()
