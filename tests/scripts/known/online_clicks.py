"""Learn online which advertisements get clicked, from a stream of page views."""

import argparse
import gc
from collections import deque
from functools import lru_cache

import keras
import numpy as np

PAGES = 2000
HASHED = 256


@lru_cache(maxsize=512)
def page_features(page):
    """Return the hashed words of a page."""
    random = np.random.default_rng(page)
    words = np.zeros(HASHED, "float32")
    words[random.integers(0, HASHED, 20)] = 1.0
    return words


class Stream:
    """Page views, a few pages far more often than the others."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.taste = self.random.normal(size=HASHED)
        self.views = 0

    def batch(self, size):
        pages = np.minimum(self.random.zipf(1.3, size), PAGES)
        features = np.stack([page_features(int(page)) for page in pages])
        chance = 1 / (1 + np.exp(-(features @ self.taste) / 2))
        self.views += size
        return features, (self.random.random(size) < chance).astype("float32")


def make_model(width):
    model = keras.Sequential(
        [
            keras.layers.Input([HASHED]),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(keras.optimizers.Adagrad(0.05), "binary_crossentropy", metrics=["accuracy"])
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batches", type=int, default=3000)
    parser.add_argument("--batch", type=int, default=384)
    parser.add_argument("--width", type=int, default=256)
    args = parser.parse_args()
    keras.utils.set_random_seed(2)

    stream = Stream(seed=3)
    model = make_model(args.width)
    newest = deque(maxlen=200)
    best = np.inf
    for number in range(1, args.batches + 1):
        features, clicked = stream.batch(args.batch)
        loss, accuracy = model.train_on_batch(features, clicked)
        newest.append(loss)
        average = np.mean(newest)
        best = min(best, average)
        if number % 1000 == 0:
            gc.collect()
        if number % 200 == 0:
            model.reset_metrics()
            print(f"{stream.views} views: loss {average:.4f}, accuracy {accuracy:.3f}")
    print(f"best average {best:.4f}")


if __name__ == "__main__":
    main()
