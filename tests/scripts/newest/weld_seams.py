"""Weld seams from ultrasonic echoes: first an autoencoder, then a grader trained on hard cases."""

import argparse

import numpy as np
import tensorflow as tf

LENGTH = 160


def echoes(n, rng):
    t = np.arange(LENGTH)
    flaw = rng.random(n) < 0.3
    place = rng.uniform(50, 110, (n, 1))
    wall = np.exp(-(((t - 140) / 6.0) ** 2)) + np.exp(-(((t - 12) / 5.0) ** 2))
    blip = rng.uniform(0.15, 0.8, (n, 1)) * np.exp(-(((t - place) / 4.0) ** 2))
    x = wall + flaw[:, None] * blip + rng.normal(0, 0.12, (n, LENGTH))
    return x.astype(np.float32), flaw.astype(np.float32)


def layer(n_in, n_out, seed):
    w = tf.random.stateless_normal([n_in, n_out], [seed, 1]) * np.sqrt(2.0 / n_in)
    return tf.Variable(tf.cast(w, tf.float32)), tf.Variable(tf.zeros([n_out]))


class SeamNet(tf.Module):
    def __init__(self, width=64, code=24):
        super().__init__()
        self.enc = layer(LENGTH, width, 1) + layer(width, code, 2)
        self.dec = layer(code, LENGTH, 3)
        self.head = layer(code, 1, 4)

    def encode(self, x):
        w1, b1, w2, b2 = self.enc
        return tf.nn.relu(tf.nn.relu(x @ w1 + b1) @ w2 + b2)

    def decode(self, code):
        return code @ self.dec[0] + self.dec[1]

    def grade(self, code):
        return (code @ self.head[0] + self.head[1])[:, 0]


class CaseBook:
    """How hard each seam was the last time it was seen; hard ones are drawn more often."""

    def __init__(self, n, rng):
        self.hardness = np.ones(n)
        self.rng = rng

    def draw(self, size):
        p = self.hardness + 0.05
        return self.rng.choice(len(p), size=size, p=p / p.sum())

    def note(self, rows, losses):
        for i, row in enumerate(rows):
            self.hardness[row] = 0.5 * self.hardness[row] + 0.5 * min(float(losses[i]), 4.0)


def make_steps(net, rate):
    pre_vars = list(net.enc) + list(net.dec)
    fine_vars = list(net.enc) + list(net.head)

    @tf.function
    def pretrain(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net.decode(net.encode(x)) - x))
        for v, g in zip(pre_vars, tape.gradient(loss, pre_vars)):
            v.assign_sub(10.0 * rate * g)
        return loss

    @tf.function
    def finetune(x, flaw):
        with tf.GradientTape() as tape:
            logit = net.grade(net.encode(x))
            each = tf.nn.sigmoid_cross_entropy_with_logits(flaw, logit)
            loss = tf.reduce_mean(each)
        for v, g in zip(fine_vars, tape.gradient(loss, fine_vars)):
            v.assign_sub(rate * g)
        return each

    return pretrain, finetune


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pre", type=int, default=500)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--batch", type=int, default=96)
    args = parser.parse_args()

    rng = np.random.default_rng(2)
    x, flaw = echoes(5000, rng)
    net = SeamNet()
    pretrain, finetune = make_steps(net, rate=0.05)
    for xb in tf.data.Dataset.from_tensor_slices(x).repeat().batch(args.batch).take(args.pre):
        loss = pretrain(xb)
    print(f"echoes rebuilt with an error of {float(loss):.4f}")

    book = CaseBook(len(x), rng)
    for step in range(args.steps):
        rows = book.draw(args.batch)
        each = finetune(x[rows], flaw[rows])
        book.note(rows, each)
        if step % 100 == 0:
            print(f"step {step:4d}  mean hardness {book.hardness.mean():.3f}")
    found = (net.grade(net.encode(x)).numpy() > 0) == (flaw > 0.5)
    print(f"seams graded rightly: {found.mean():.3f}")


if __name__ == "__main__":
    main()
