"""Flags card payments that are not the holder's, batch by batch, and keeps an eye on the AUC."""

import argparse
import time

import keras
import numpy as np

FIELDS = 24


def payments(batch, seed):
    """Endless batches of payments of which a few in a hundred are fraud."""
    rng = np.random.default_rng(seed)
    habits = rng.normal(size=FIELDS)
    while True:
        rows = rng.normal(size=(batch, FIELDS))
        score = rows @ habits / 2 + np.sin(3 * rows[:, 0]) - 6 + rng.logistic(size=batch)
        yield rows.astype("float32"), (score > 0).astype("float32")


class RunningAUC:
    """Area under the ROC curve of all that was predicted since the start."""

    def __init__(self):
        self.scores = np.empty(0, "float32")
        self.labels = np.empty(0, "float32")

    def update(self, labels, scores):
        self.labels = np.append(self.labels, labels)
        self.scores = np.append(self.scores, scores)
        return self.result()

    def result(self):
        ranks = np.empty(len(self.scores))
        ranks[np.argsort(self.scores)] = np.arange(1, len(self.scores) + 1)
        positives = self.labels.sum()
        negatives = len(self.labels) - positives
        if positives == 0 or negatives == 0:
            return 0.5
        wins = ranks[self.labels > 0].sum() - positives * (positives + 1) / 2
        return wins / (positives * negatives)


def build_model(width):
    model = keras.Sequential(
        [
            keras.Input((FIELDS,)),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(keras.optimizers.Adam(1e-3), loss="binary_crossentropy")
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batches", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--seed", type=int, default=37)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    model = build_model(args.width)
    auc, began = RunningAUC(), time.time()
    for number, (rows, labels) in enumerate(payments(args.batch, args.seed), start=1):
        scores = model.predict_on_batch(rows)[:, 0]
        area = auc.update(labels, scores)
        loss = model.train_on_batch(rows, labels)
        if number % 100 == 0:
            print(
                f"{number * args.batch:7d} payments  loss {float(loss):.4f}  auc {area:.4f}"
                f"  {time.time() - began:5.1f} s"
            )
        if number == args.batches:
            break

    rows, labels = next(payments(20_000, args.seed))
    last = RunningAUC().update(labels, model.predict_on_batch(rows)[:, 0])
    print(f"auc of the trained model {last:.4f}")


if __name__ == "__main__":
    main()
