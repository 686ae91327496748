"""Classify textures by a fixed bank of filters and one trained layer, step by step."""

import argparse

import numpy as np
import tensorflow as tf

CLASSES = 10
SIDE = 32


def make_textures(count, seed):
    random = np.random.default_rng(seed)
    labels = random.integers(0, CLASSES, count)
    waves = np.random.default_rng(0).uniform(0.2, 2.0, size=(CLASSES, 2))
    rows, columns = np.mgrid[:SIDE, :SIDE]
    phase = random.uniform(0, 6.3, size=(count, 1, 1))
    across = waves[labels, 0, None, None] * rows + waves[labels, 1, None, None] * columns
    images = np.sin(across + phase) + random.normal(scale=0.7, size=(count, SIDE, SIDE))
    return images[..., None].astype("float32"), labels.astype("int32")


def filter_bank(size, count, seed):
    """Return small waves of different directions and lengths."""
    random = np.random.default_rng(seed)
    rows, columns = np.mgrid[-(size // 2) : size // 2 + 1, -(size // 2) : size // 2 + 1]
    waves = random.uniform(-2.0, 2.0, size=(2, count))
    across = rows[..., None] * waves[0] + columns[..., None] * waves[1]
    window = np.exp(-(rows**2 + columns**2) / size)[..., None]
    return tf.constant((np.cos(across) * window)[:, :, None, :], tf.float32)


def features_of(images, filters):
    found = tf.nn.conv2d(images, filters, strides=1, padding="SAME")
    return tf.reduce_mean(tf.square(found), axis=[1, 2])


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=250)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--filters", type=int, default=64)
    parser.add_argument("--rate", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main():
    args = parse_args()
    filters = filter_bank(7, args.filters, args.seed)
    kernel = tf.Variable(tf.zeros([args.filters, CLASSES]))

    images, labels = make_textures(4096, args.seed)
    data = tf.data.Dataset.from_tensor_slices((images, labels))
    data = data.shuffle(4096, seed=args.seed).repeat().batch(args.batch).take(args.steps)

    total_loss = 0.0
    with tf.GradientTape(persistent=True) as tape:
        for step, (x, y) in enumerate(data):
            features = features_of(x, filters)
            logits = features @ kernel
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
            total_loss += tf.reduce_mean(losses)
            mean_loss = total_loss / (step + 1)
            with tape.stop_recording():
                gradient = tape.gradient(mean_loss, kernel)
                kernel.assign_sub(args.rate * gradient)
            if step % 50 == 0:
                print(f"step {step}: mean loss {mean_loss:.4f}")

    print(f"finished with a mean loss of {mean_loss:.4f}")


if __name__ == "__main__":
    main()
