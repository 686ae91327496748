"""Train a small network on drawn digits whose light changes more and more."""

import argparse
import itertools

import numpy as np
import tensorflow as tf

SIDE = 20
DIGITS = 10


def digit_batches(size, seed):
    """Yield batches of noisy digits for ever."""
    random = np.random.default_rng(seed)
    drawings = np.random.default_rng(4).random((DIGITS, SIDE, SIDE)) > 0.6
    while True:
        digits = random.integers(0, DIGITS, size)
        noise = random.normal(scale=0.6, size=(size, SIDE, SIDE))
        yield (drawings[digits] + noise).astype("float32"), digits


def plain(images):
    return images


def brighter(augment, amount):
    """Return an augmentation that does what another did, and changes the light as well."""

    def changed(images):
        return augment(images) + amount

    return changed


class Network:
    def __init__(self, width):
        self.weights = []
        sizes = [SIDE * SIDE, width, width, DIGITS]
        for number, (before, after) in enumerate(itertools.pairwise(sizes)):
            start = tf.random.stateless_normal([before, after], [number, 8])
            self.weights.append(tf.Variable(start * (2.0 / before) ** 0.5))

    def logits(self, images):
        x = tf.reshape(images, [-1, SIDE * SIDE])
        for weight in self.weights[:-1]:
            x = tf.nn.relu(x @ weight)
        return x @ self.weights[-1]


def train_step(network, images, digits, rate):
    with tf.GradientTape() as tape:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(digits, network.logits(images))
        loss = tf.reduce_mean(losses)
    gradients = tape.gradient(loss, network.weights)
    for weight, gradient in zip(network.weights, gradients, strict=True):
        weight.assign_sub(rate * gradient)
    return loss


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--rate", type=float, default=0.01)
    return parser.parse_args()


def main():
    args = parse_args()
    network = Network(args.width)
    random = np.random.default_rng(6)
    amount = 0.0
    for step, (images, digits) in enumerate(digit_batches(args.batch, seed=5)):
        if step == args.steps:
            break
        amount += random.normal(scale=0.01)
        augment = brighter(plain, amount)
        loss = train_step(network, augment(images), digits, args.rate)
        if step % 100 == 0:
            print(f"step {step}: loss {float(loss):.4f}")
    print("done")


if __name__ == "__main__":
    main()
