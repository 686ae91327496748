"""Train one linear model of hospital stays by turns: each turn, one client improves the weights."""

import argparse

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

FEATURES = 600


class Client:
    """The patients of one hospital, which never leave it."""

    def __init__(self, seed, patients):
        self.random = np.random.default_rng(seed)
        shift = self.random.normal(scale=0.3, size=FEATURES)
        self.inputs = (self.random.normal(size=(patients, FEATURES)) + shift).astype("float32")
        truth = np.random.default_rng(0).normal(size=(FEATURES, 1))
        noise = self.random.normal(size=(patients, 1))
        self.days = (self.inputs @ truth + noise).astype("float32")

    def batch(self, size):
        picked = self.random.integers(0, len(self.inputs), size)
        return self.inputs[picked], self.days[picked]


class ClientUpdate:
    """One step on a client's batch, built once."""

    def __init__(self, session, rate):
        self.session = session
        self.x = tf.placeholder(tf.float32, [None, FEATURES])
        self.y = tf.placeholder(tf.float32, [None, 1])
        self.start = tf.placeholder(tf.float32, [FEATURES, 1])
        error = tf.matmul(self.x, self.start) - self.y
        self.loss = tf.reduce_mean(tf.square(error))
        count = tf.cast(tf.shape(self.x)[0], tf.float32)
        self.updated = self.start - rate * tf.matmul(self.x, error, transpose_a=True) / count

    def __call__(self, start, inputs, days):
        """Return the weights after one step, and its loss."""
        feeds = {self.start: start, self.x: inputs, self.y: days}
        return self.session.run([self.updated, self.loss], feeds)


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--turns", type=int, default=3000)
    parser.add_argument("--batch", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=0.001)
    return parser.parse_args()


def main():
    args = parse_args()
    clients = [Client(seed, patients=6000) for seed in range(1, args.clients + 1)]
    weights = np.zeros([FEATURES, 1], "float32")
    losses = []
    client_update = ClientUpdate(tf.Session(), args.rate)
    for turn in range(args.turns):
        client = clients[turn % len(clients)]
        inputs, days = client.batch(args.batch)
        updated, loss = client_update(weights, inputs, days)
        weights = 0.5 * weights + 0.5 * updated
        losses.append(loss)
        if (turn + 1) % 50 == 0:
            print(f"turn {turn + 1}: loss {np.mean(losses[-50:]):.3f}")


if __name__ == "__main__":
    main()
