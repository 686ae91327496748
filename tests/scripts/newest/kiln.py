"""Predict the energy a ceramics kiln will use from its firing programme (graph-mode model)."""

import argparse

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

N_FEATURES = 18


def make_firings(n, rng):
    """Ramp rates, hold times and load of a firing, and the kWh that it took."""
    ramps = rng.uniform(40, 220, size=(n, 8))
    holds = rng.gamma(2.0, 12.0, size=(n, 8))
    load = rng.uniform(0.2, 1.0, size=(n, 2))
    x = np.hstack([ramps / 100.0, holds / 24.0, load]).astype(np.float32)
    kwh = 0.6 * (ramps.sum(1) / 800) + holds.sum(1) / 190 + 0.8 * load[:, 0] * load[:, 1]
    kwh += rng.normal(0, 0.05, n)
    return x, kwh.astype(np.float32)[:, None]


class KilnModel:
    def __init__(self, width=96, base_rate=2e-3):
        self.base_rate = base_rate
        self.x = tf.placeholder(tf.float32, [None, N_FEATURES], name="firing")
        self.y = tf.placeholder(tf.float32, [None, 1], name="kwh")
        self.rate = tf.get_variable("rate", initializer=base_rate, trainable=False)
        h = self.dense(self.x, N_FEATURES, width, "h1", tf.nn.relu)
        h = self.dense(h, width, width, "h2", tf.nn.relu)
        self.out = self.dense(h, width, 1, "out")
        self.error = tf.abs(self.out - self.y)
        self.loss = tf.reduce_mean(tf.square(self.out - self.y))
        self.train = tf.train.AdamOptimizer(self.rate).minimize(self.loss)

    @staticmethod
    def dense(x, n_in, n_out, name, act=None):
        with tf.variable_scope(name):
            w = tf.get_variable("w", [n_in, n_out], initializer=tf.glorot_uniform_initializer())
            b = tf.get_variable("b", [n_out], initializer=tf.zeros_initializer())
        y = tf.matmul(x, w) + b
        return act(y) if act else y

    def anneal(self, sess, progress):
        """Cosine schedule, with a short warm-up."""
        warm = min(1.0, progress / 0.05)
        value = self.base_rate * warm * 0.5 * (1.0 + np.cos(np.pi * progress))
        sess.run(self.rate.assign(value))
        return value

    def update(self, sess, x, y):
        _, loss = sess.run([self.train, self.loss], {self.x: x, self.y: y})
        return loss

    def worst(self, sess, x, y):
        return sess.run(self.error, {self.x: x, self.y: y}).max()


def batches(x, y, size, rng):
    while True:
        order = rng.permutation(len(x))
        for start in range(0, len(x) - size + 1, size):
            rows = order[start : start + size]
            yield x[rows], y[rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()

    rng = np.random.default_rng(args.seed)
    tf.set_random_seed(args.seed)
    x, y = make_firings(4096, rng)
    x_test, y_test = make_firings(512, rng)
    model = KilnModel()
    stream = batches(x, y, args.batch, rng)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        smooth = None
        for step in range(args.steps):
            rate = model.anneal(sess, step / args.steps)
            xb, yb = next(stream)
            loss = model.update(sess, xb, yb)
            smooth = loss if smooth is None else 0.95 * smooth + 0.05 * loss
            if step % 80 == 0:
                print(f"step {step:4d}  rate {rate:.5f}  loss {smooth:.4f}")
        print("largest error on new firings:", model.worst(sess, x_test, y_test))


if __name__ == "__main__":
    main()
