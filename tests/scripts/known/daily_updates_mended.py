"""Keep a forecast of demand up to date: each new day is one short call of fit."""

import argparse

import keras
import numpy as np

SHOPS = 40


class Day(keras.utils.PyDataset):
    """The sales of one day, in batches."""

    def __init__(self, number, batch):
        super().__init__()
        self.batch = batch
        self.load(number)

    def load(self, number):
        random = np.random.default_rng(number)
        self.features = random.normal(size=(512, SHOPS)).astype("float32")
        trend = np.sin(number / 20 + np.arange(SHOPS))
        self.demand = (self.features @ trend + random.normal(size=512)).astype("float32")

    def __len__(self):
        return len(self.demand) // self.batch

    def __getitem__(self, index):
        rows = slice(index * self.batch, (index + 1) * self.batch)
        return self.features[rows], self.demand[rows]


def make_model():
    model = keras.Sequential(
        [
            keras.layers.Input([SHOPS]),
            keras.layers.Dense(64, activation="relu"),
            keras.layers.Dense(64, activation="relu"),
            keras.layers.Dense(1),
        ]
    )
    model.compile(keras.optimizers.SGD(0.01), "mse")
    return model


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--batch", type=int, default=128)
    return parser.parse_args()


def main():
    args = parse_args()
    keras.utils.set_random_seed(11)
    model = make_model()
    errors = np.zeros(args.days)
    for day in range(args.days):
        sales = Day(day, args.batch)
        history = model.fit(
            sales.features, sales.demand, batch_size=args.batch, verbose=0, shuffle=False
        )
        errors[day] = history.history["loss"][0]
        if (day + 1) % 30 == 0:
            print(f"day {day + 1}: mean error of the month {errors[day - 29 : day + 1].mean():.3f}")


if __name__ == "__main__":
    main()
