"""Finds the sick spots on leaves with a small U-Net; can be stopped and go on where it was."""

import argparse
import pathlib
import tempfile

import keras
import numpy as np
import tensorflow as tf
from keras import layers

SIDE = 32


def make_leaves(count, rng):
    rows, columns = np.mgrid[:SIDE, :SIDE]
    leaves = np.empty((count, SIDE, SIDE, 3), "float32")
    spots = np.zeros((count, SIDE, SIDE, 1), "float32")
    for leaf, spot in zip(leaves, spots, strict=True):
        leaf[:] = [0.2, 0.6, 0.2] + 0.1 * rng.normal(size=leaf.shape)
        for _ in range(rng.integers(0, 4)):
            y, x, radius = *rng.uniform(4, SIDE - 4, 2), rng.uniform(2, 5)
            inside = (rows - y) ** 2 + (columns - x) ** 2 < radius**2
            leaf[inside] += [0.3, -0.2, 0.0]
            spot[inside] = 1
    return leaves, spots


def build_model(width):
    def block(x, units):
        return layers.Conv2D(units, 3, padding="same", activation="relu")(x)

    leaf = keras.Input((SIDE, SIDE, 3))
    fine = block(leaf, width)
    middle = block(layers.MaxPool2D()(fine), 2 * width)
    coarse = block(layers.MaxPool2D()(middle), 4 * width)
    coarse = block(coarse, 4 * width)
    middle = block(layers.Concatenate()([middle, layers.UpSampling2D()(coarse)]), 2 * width)
    fine = block(layers.Concatenate()([fine, layers.UpSampling2D()(middle)]), width)
    return keras.Model(leaf, layers.Conv2D(1, 1)(fine))


class Training:
    """The model, its optimizer and where it stands, kept safe on the disk."""

    def __init__(self, model, rate, folder):
        self.model = model
        self.optimizer = keras.optimizers.Adam(rate)
        self.optimizer.build(model.trainable_variables)
        self.cross = keras.losses.BinaryCrossentropy(from_logits=True)
        self.step = tf.Variable(0, dtype=tf.int64)
        state = tf.train.Checkpoint(model=model, optimizer=self.optimizer, step=self.step)
        self.keeper = tf.train.CheckpointManager(state, folder, max_to_keep=5)
        state.restore(self.keeper.latest_checkpoint)

    @tf.function
    def update(self, leaves, spots):
        with tf.GradientTape() as tape:
            loss = self.cross(spots, self.model(leaves, training=True))
        variables = self.model.trainable_variables
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return loss

    def advance(self, leaves, spots):
        loss = self.update(leaves, spots)
        self.step.assign_add(1)
        self.keeper.save(self.step)
        return loss


def overlap(model, dataset):
    shared = total = 0.0
    for leaves, spots in dataset:
        found = tf.cast(model(leaves) > 0, tf.float32)
        shared += float(tf.reduce_sum(found * spots))
        total += float(tf.reduce_sum(tf.maximum(found, spots)))
    return shared / max(total, 1.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leaves", type=int, default=480)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--width", type=int, default=6)
    parser.add_argument("--folder", type=pathlib.Path, default=None)
    parser.add_argument("--seed", type=int, default=59)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    data = tf.data.Dataset.from_tensor_slices(
        make_leaves(args.leaves, np.random.default_rng(args.seed))
    )
    held_out = data.take(args.leaves // 8).batch(args.batch).cache()
    train = data.skip(args.leaves // 8).cache().shuffle(400, seed=args.seed)
    train = train.batch(args.batch, drop_remainder=True).prefetch(2)
    folder = args.folder or tempfile.mkdtemp(prefix="leaves-")
    training = Training(build_model(args.width), 2e-3, str(folder))
    for epoch in range(args.epochs):
        losses = []
        for leaves, spots in train:
            losses.append(float(training.advance(leaves, spots)))
        found = overlap(training.model, held_out)
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}  overlap {found:.3f}", flush=True)


if __name__ == "__main__":
    main()
