"""A fraud classifier on imbalanced tabular data, trained batch by batch with train_on_batch."""

import argparse

import keras
import numpy as np


def make_transactions(n, rng):
    x = rng.normal(size=(n, 24)).astype("float32")
    risk = x[:, 0] * x[:, 1] + 0.8 * x[:, 2] - 0.5 * np.abs(x[:, 3]) - 2.0
    y = (risk + 0.4 * rng.normal(size=n) > 0).astype("float32")
    return x, y


def batches(x, y, size, rng):
    while True:
        order = rng.permutation(len(x))
        for start in range(0, len(x) - size + 1, size):
            rows = order[start : start + size]
            yield x[rows], y[rows]


class ScoreBoard:
    """Keeps the AUC and the recall of the training run up to date."""

    def __init__(self, threshold=0.5):
        self.threshold = threshold
        self.labels = []
        self.scores = []
        self.auc = 0.5
        self.recall = 0.0

    def update(self, labels, scores):
        self.labels.extend(labels.tolist())
        self.scores.extend(scores.ravel().tolist())
        y = np.array(self.labels)
        s = np.array(self.scores)
        positives = y.sum()
        if 0 < positives < len(y):
            ranks = np.empty(len(s))
            ranks[np.argsort(s)] = np.arange(1, len(s) + 1)
            wins = ranks[y == 1].sum() - positives * (positives + 1) / 2
            self.auc = wins / (positives * (len(y) - positives))
            self.recall = ((s > self.threshold) & (y == 1)).sum() / positives


def build_model(width):
    model = keras.Sequential(
        [
            keras.Input((24,)),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dropout(0.1),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(keras.optimizers.Adam(1e-3), loss="binary_crossentropy")
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--seed", type=int, default=3)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    x, y = make_transactions(20_000, rng)
    x_test, y_test = make_transactions(4_000, rng)
    model = build_model(args.width)
    board = ScoreBoard()
    source = batches(x, y, args.batch_size, rng)

    for step in range(1, args.steps + 1):
        features, labels = next(source)
        scores = model.predict_on_batch(features)
        loss = model.train_on_batch(features, labels)
        board.update(labels, scores)
        if step % 200 == 0:
            print(f"step {step}: loss {loss:.4f} auc {board.auc:.4f} recall {board.recall:.4f}")

    predicted = model.predict(x_test, batch_size=512, verbose=0).ravel() > 0.5
    print(f"test accuracy {np.mean(predicted == (y_test > 0.5)):.4f}")


if __name__ == "__main__":
    main()
