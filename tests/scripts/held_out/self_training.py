"""Self-training: a classifier labels the pool it was not sure about and is fitted again."""

import argparse

import keras
import numpy as np


def make_rings(n, rng):
    """Points on three noisy rings in ten dimensions."""
    y = rng.integers(0, 3, size=n)
    angle = rng.uniform(0, 2 * np.pi, size=n)
    radius = 1.0 + y + 0.2 * rng.normal(size=n)
    x = 0.3 * rng.normal(size=(n, 10))
    x[:, 0] += radius * np.cos(angle)
    x[:, 1] += radius * np.sin(angle)
    return x.astype("float32"), y


def build_model():
    model = keras.Sequential(
        [
            keras.Input((10,)),
            keras.layers.Dense(64, activation="relu"),
            keras.layers.Dense(64, activation="relu"),
            keras.layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


class SelfTrainer:
    def __init__(self, model, x, y, pool, per_round):
        self.model = model
        self.x = x
        self.y = y
        self.pool = pool
        self.per_round = per_round

    def most_confident(self):
        proba = self.model.predict_on_batch(self.pool)
        rows = np.argsort(proba.max(axis=1))[-self.per_round :]
        return self.pool[rows], proba[rows].argmax(axis=1)

    def run(self, rounds, batch_size, x_test, y_test):
        for number in range(1, rounds + 1):
            fitted = self.model.fit(self.x, self.y, batch_size=batch_size, epochs=1, verbose=0)
            x_new, y_new = self.most_confident()
            self.x = np.concatenate([self.x, x_new])
            self.y = np.concatenate([self.y, y_new])
            if number % 20 == 0:
                _, accuracy = self.model.evaluate(x_test, y_test, batch_size=500, verbose=0)
                loss = fitted.history["loss"][-1]
                print(f"round {number}: loss {loss:.4f} test accuracy {accuracy:.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--labelled", type=int, default=128)
    parser.add_argument("--per-round", type=int, default=64)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--seed", type=int, default=8)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    x, y = make_rings(args.labelled, rng)
    pool, _ = make_rings(2_000, rng)
    x_test, y_test = make_rings(1_000, rng)
    trainer = SelfTrainer(build_model(), x, y, pool, args.per_round)
    trainer.run(args.rounds, args.batch_size, x_test, y_test)
    print(f"{len(pool)} points in the pool, {args.rounds} rounds")


if __name__ == "__main__":
    main()
