"""Do two scans show the same stamp? A twin network learns it from shaken pairs."""
import argparse
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
from keras import layers, ops

from stamp_features import SIDE, describe


def album(rng, count):
    coarse = rng.uniform(0, 1, (count, 8, 8))
    fine = coarse.repeat(SIDE // 8, axis=1).repeat(SIDE // 8, axis=2)
    frame = np.ones((SIDE, SIDE))
    frame[2:-2, 2:-2] = 0
    return np.where(frame, 0.9, fine).astype(np.float32)


def scan(rng, stamp):
    dy, dx = rng.integers(-2, 3, 2)
    moved = np.roll(stamp, (dy, dx), axis=(0, 1))
    ink = rng.normal(0, 0.05, moved.shape)
    return np.clip(moved * rng.uniform(0.8, 1.2) + ink, 0, 1).astype(np.float32)


def pairs(rng, stamps, batch):
    while True:
        left = rng.integers(0, len(stamps), batch)
        same = rng.random(batch) < 0.5
        right = np.where(same, left, rng.integers(0, len(stamps), batch))
        yield (np.stack([scan(rng, stamps[i]) for i in left]),
               np.stack([scan(rng, stamps[i]) for i in right]),
               (left == right).astype(np.float32)[:, None])


def twin_network():
    eye = keras.Sequential([
        keras.Input((SIDE, SIDE, 4)),
        layers.Conv2D(12, 3, strides=2, activation="relu"),
        layers.Conv2D(24, 3, strides=2, activation="relu"),
        layers.Flatten(),
        layers.Dense(32),
    ])
    a, b = keras.Input((SIDE, SIDE, 4)), keras.Input((SIDE, SIDE, 4))
    distance = layers.Lambda(lambda p: ops.abs(p[0] - p[1]), output_shape=(32,))([eye(a), eye(b)])
    model = keras.Model([a, b], layers.Dense(1, activation="sigmoid")(distance))
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy",
                  metrics=["accuracy"])
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=24)
    args = parser.parse_args()
    keras.utils.set_random_seed(29)
    rng = np.random.default_rng(29)
    stamps = album(rng, 150)
    model = twin_network()

    for step, (left, right, same) in enumerate(pairs(rng, stamps, args.batch), start=1):
        result = model.train_on_batch([describe(left), describe(right)], same, return_dict=True)
        if step % 100 == 0:
            print(f"{step:5d}  loss {result['loss']:.4f}  right {result['accuracy']:.3f}")
            model.reset_metrics()
        if step >= args.steps:
            break


if __name__ == "__main__":
    main()
