"""Predict the concentration of a sample from its spectrum, and follow the correlation so far."""

import argparse

import numpy as np
import tensorflow as tf

CHANNELS = 300


def spectra(batch, steps, seed):
    """Yield batches of spectra with the concentration that made them."""
    random = np.random.default_rng(seed)
    channels = np.arange(CHANNELS)
    peak = np.exp(-((channels - 120) ** 2) / 400.0)
    other = np.exp(-((channels - 160) ** 2) / 900.0)
    for _ in range(steps):
        amount = random.gamma(2.0, 1.0, size=(batch, 1))
        disturbance = random.gamma(2.0, 1.0, size=(batch, 1))
        noise = random.normal(scale=0.3, size=(batch, CHANNELS))
        spectrum = amount * peak + disturbance * other + noise
        yield spectrum.astype("float32"), amount[:, 0].astype("float32")


class Regressor:
    """Two dense layers, trained by plain gradient descent."""

    def __init__(self, width, rate):
        start = tf.random.stateless_normal([CHANNELS, width], [1, 2])
        self.hidden = tf.Variable(start / CHANNELS**0.5)
        self.output = tf.Variable(tf.random.stateless_normal([width, 1], [3, 4]) / width)
        self.rate = rate

    @tf.function
    def train(self, spectrum, amount):
        weights = [self.hidden, self.output]
        with tf.GradientTape() as tape:
            predicted = (tf.nn.relu(spectrum @ self.hidden) @ self.output)[:, 0]
            loss = tf.reduce_mean(tf.square(predicted - amount))
        for weight, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(self.rate * gradient)
        return predicted, loss


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=5)
    return parser.parse_args()


def main():
    args = parse_args()
    model = Regressor(args.width, args.rate)
    sums = np.zeros([3, 3])
    batches = spectra(args.batch, args.steps, args.seed)
    for number, (spectrum, amount) in enumerate(batches, start=1):
        predicted, loss = model.train(spectrum, amount)
        columns = np.stack([np.ones(len(amount)), predicted, amount], axis=1)
        sums += columns.T @ columns
        covariance = (
            sums[1:, 1:] / sums[0, 0] - np.outer(sums[0, 1:], sums[0, 1:]) / sums[0, 0] ** 2
        )
        correlation = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
        if number % 100 == 0:
            print(f"batch {number}: loss {float(loss):.4f}, correlation {correlation:.4f}")


if __name__ == "__main__":
    main()
