"""Reads the handwritten routing digits of parcels, with train_on_batch and a tf.data pipeline."""

import argparse

import keras
import numpy as np
import tensorflow as tf
from keras import layers

SIDE = 20
CLASSES = 10


def make_digits(count, seed):
    """Blurred strokes: each class has a few fixed segments, each picture its own shift."""
    rng = np.random.default_rng(seed)
    masks = rng.random((CLASSES, SIDE, SIDE)) < 0.18
    labels = rng.integers(0, CLASSES, count)
    shifts = rng.integers(-2, 3, size=(count, 2))
    pictures = np.empty((count, SIDE, SIDE), "float32")
    for number, (label, shift) in enumerate(zip(labels, shifts, strict=True)):
        pictures[number] = np.roll(masks[label], shift, axis=(0, 1))
    pictures += 0.3 * rng.normal(size=pictures.shape).astype("float32")
    return pictures[..., None], labels.astype("int32")


def distort(picture, label):
    picture = tf.image.random_brightness(picture, 0.2)
    picture = tf.image.random_contrast(picture, 0.7, 1.3)
    return picture, label


class ParcelData:
    def __init__(self, count, batch, seed):
        pictures, labels = make_digits(count, seed)
        held = count // 10
        self.held_out = pictures[:held], labels[:held]
        self.train = (
            tf.data.Dataset.from_tensor_slices((pictures[held:], labels[held:]))
            .map(distort, num_parallel_calls=tf.data.AUTOTUNE)
            .shuffle(1500, seed=seed)
            .repeat()
            .batch(batch)
            .prefetch(tf.data.AUTOTUNE)
        )

    def batch(self):
        return next(iter(self.train))


def build_model():
    model = keras.Sequential(
        [
            keras.Input((SIDE, SIDE, 1)),
            layers.Conv2D(12, 3, strides=2, activation="relu"),
            layers.Conv2D(24, 3, strides=2, activation="relu"),
            layers.Flatten(),
            layers.Dense(64, activation="relu"),
            layers.Dense(CLASSES, activation="softmax"),
        ]
    )
    model.compile(
        keras.optimizers.Adam(1e-3), loss="sparse_categorical_crossentropy", metrics=["accuracy"]
    )
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--report", type=int, default=50)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    data = ParcelData(args.pictures, args.batch, args.seed)
    model = build_model()
    for step in range(1, args.steps + 1):
        pictures, labels = data.batch()
        loss, accuracy = model.train_on_batch(pictures, labels)
        if step % args.report == 0:
            print(f"step {step:4d}  loss {loss:.4f}  accuracy {accuracy:.3f}")
            model.reset_metrics()

    loss, accuracy = model.evaluate(*data.held_out, verbose=0)
    print(f"held out: loss {loss:.4f}  accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
