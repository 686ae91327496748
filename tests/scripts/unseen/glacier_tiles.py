"""Finds crevasses on tiles of glaciers; a trainer that can start again at any batch."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf
from keras import layers

SIDE = 24
TILES = 2400
BATCH = 12


def glacier(seed, count):
    rng = np.random.default_rng(seed)
    tiles = rng.normal(0.7, 0.08, (count, SIDE, SIDE, 1)).astype(np.float32)
    cracked = (rng.random(count) < 0.5).astype(np.float32)
    rows, cols = np.mgrid[0:SIDE, 0:SIDE]
    for i in np.flatnonzero(cracked):
        slope, start = rng.uniform(-1, 1), rng.uniform(6, 18)
        near = np.abs(rows - start - slope * (cols - SIDE / 2)) < 1.2
        tiles[i, near, 0] -= 0.35
    return tiles, cracked[:, None]


def vary(tile, label):
    tile = tf.image.random_flip_left_right(tile)
    tile = tf.image.random_flip_up_down(tile)
    tile = tf.image.random_brightness(tile, 0.1)
    tile = tf.image.random_contrast(tile, 0.8, 1.2)
    return tile, label


class Feed:
    """Batches by number, the same ones in every run."""

    def __init__(self, tiles, labels, batch):
        self.pipeline = (tf.data.Dataset.from_tensor_slices((tiles, labels))
                         .shuffle(256, seed=11, reshuffle_each_iteration=False)
                         .map(vary)
                         .batch(batch, drop_remainder=True))
        self.length = len(tiles) // batch

    def at(self, number):
        return next(iter(self.pipeline.skip(number % self.length).take(1)))


class Trainer:
    def __init__(self, feed, start=0):
        self.feed = feed
        self.number = start
        self.model = keras.Sequential([
            keras.Input((SIDE, SIDE, 1)),
            layers.Conv2D(12, 3, strides=2, activation="relu"),
            layers.Conv2D(24, 3, strides=2, activation="relu"),
            layers.Flatten(),
            layers.Dense(24, activation="relu"),
            layers.Dense(1),
        ])
        self.loss_fn = keras.losses.BinaryCrossentropy(from_logits=True)
        self.optimizer = keras.optimizers.Adam(1e-3)
        self.recent = keras.metrics.Mean()

    @tf.function
    def learn(self, tiles, labels):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(labels, self.model(tiles, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def advance(self):
        tiles, labels = self.feed.at(self.number)
        self.recent.update_state(self.learn(tiles, labels))
        self.number += 1

    def run(self, batches):
        for _ in range(batches):
            self.advance()
            if self.number % 50 == 0:
                print(f"batch {self.number:4d}  loss {float(self.recent.result()):.4f}")
                self.recent.reset_state()


if __name__ == "__main__":
    keras.utils.set_random_seed(3)
    trainer = Trainer(Feed(*glacier(1, TILES), BATCH))
    trainer.run(TILES // BATCH)
    tiles, labels = glacier(2, 400)
    right = (trainer.model(tiles).numpy() > 0) == (labels > 0.5)
    print("right on new tiles:", right.mean())
