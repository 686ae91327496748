"""Estimates the depth of peat under survey plots, whose soundings lie packed in memory."""
import argparse
import collections
import os
import zlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
from keras import layers

SIDE = 64
PATCH = 16


def survey(seed, plots):
    """Packed soundings of each plot: radar echo in two bands, and the depth."""
    rng = np.random.default_rng(seed)
    rows, cols = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    packed = []
    for _ in range(plots):
        a, b, c = rng.uniform(0.5, 3, 3)
        depth = 2 + np.sin(4 * a * rows) * np.cos(3 * b * cols) + 0.5 * c * rows * cols
        near = np.exp(-0.5 * depth) + rng.normal(0, 0.02, depth.shape)
        far = np.sqrt(depth) + rng.normal(0, 0.05, depth.shape)
        sheet = np.round(np.stack([near, far, depth], axis=-1), 2).astype(np.float32)
        packed.append(zlib.compress(sheet.tobytes(), 6))
    return packed


class Archive:
    """Unpacks plots, and holds on to those that it has unpacked."""

    def __init__(self, packed, room):
        self.packed = packed
        self.room = room
        self.open = collections.OrderedDict()
        self.hits = self.misses = 0

    def plot(self, number):
        if number in self.open:
            self.hits += 1
            self.open.move_to_end(number)
            return self.open[number]
        self.misses += 1
        sheet = np.frombuffer(zlib.decompress(self.packed[number]), np.float32)
        self.open[number] = sheet.reshape(SIDE, SIDE, 3)
        while len(self.open) > self.room:
            self.open.popitem(last=False)
        return self.open[number]


def patches(archive, rng, batch):
    seen = []
    while True:
        x = np.empty((batch, PATCH, PATCH, 2), np.float32)
        y = np.empty((batch, 1), np.float32)
        for i in range(batch):
            number = int(rng.integers(len(archive.packed)))
            top, left = rng.integers(0, SIDE - PATCH, 2)
            piece = archive.plot(number)[top:top + PATCH, left:left + PATCH]
            x[i], y[i] = piece[..., :2], piece[..., 2].mean()
            seen.append(number)
        seen = seen[-500:]
        yield x, y, len(set(seen))


def build():
    model = keras.Sequential([
        keras.Input((PATCH, PATCH, 2)),
        layers.Conv2D(24, 3, activation="relu"),
        layers.Conv2D(24, 3, activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(32, activation="relu"),
        layers.Dense(1),
    ])
    model.compile(optimizer=keras.optimizers.Adam(2e-3), loss="huber", metrics=["mae"])
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--room", type=int, default=90)
    args = parser.parse_args()
    keras.utils.set_random_seed(47)
    archive = Archive(survey(1, 80), args.room)
    model = build()
    course = []
    for x, y, variety in patches(archive, np.random.default_rng(47), args.batch):
        loss, error = model.train_on_batch(x, y)
        course.append(float(loss))
        if len(course) % 200 == 0:
            print(f"{len(course):5d}  loss {np.mean(course[-200:]):.4f}  error {float(error):.3f} m"
                  f"  {variety} plots of late, {archive.misses} unpacked, {archive.hits} at hand")
            model.reset_metrics()
        if len(course) == args.steps:
            break


if __name__ == "__main__":
    main()
