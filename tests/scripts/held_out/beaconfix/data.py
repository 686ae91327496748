"""A hall with beacons, and streams of what phones hear in it."""

import numpy as np

BEACONS = 20


class Hall:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.beacons = self.rng.uniform(0, 1, size=(BEACONS, 2))

    def hear(self, places):
        distance = np.linalg.norm(places[:, None] - self.beacons, axis=2)
        return np.exp(-3 * distance).astype("float32")

    def walks(self, batch):
        places = self.rng.uniform(0, 1, size=(batch, 2))
        while True:
            places = np.clip(places + 0.05 * self.rng.normal(size=places.shape), 0, 1)
            yield self.hear(places), places.astype("float32")


def noisy(stream, amount, rng):
    for heard, places in stream:
        yield heard + amount * rng.normal(size=heard.shape).astype("float32"), places


def deaf(stream, chance, rng):
    """Some beacons are not heard at all."""
    for heard, places in stream:
        yield heard * (rng.random(heard.shape) > chance), places


def joined(stream, count):
    for first in stream:
        parts = [first, *(next(stream) for _ in range(count - 1))]
        yield tuple(np.concatenate(part).astype("float32") for part in zip(*parts, strict=True))
