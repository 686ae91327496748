"""Route support tickets of very different lengths; batches are padded to a few bucket lengths."""

import argparse
from collections import Counter

import keras
import numpy as np
import tensorflow as tf

WORDS = 2000
DESKS = 5
BUCKETS = [16, 32, 48, 64]


def write_tickets(n, rng):
    desk = rng.integers(0, DESKS, n)
    lengths = np.clip(rng.gamma(2.5, 11, n).astype(int), 4, 64)
    texts = []
    for d, size in zip(desk, lengths):
        common = rng.integers(1, WORDS, size)
        special = rng.integers(1 + 60 * d, 61 + 60 * d, size)
        texts.append(np.where(rng.random(size) < 0.2, special, common))
    return texts, desk


class Batcher:
    """Tickets of like length go together, each batch padded up to its bucket's length."""

    def __init__(self, texts, desk, size, rng):
        self.texts, self.desk, self.size, self.rng = texts, desk, size, rng
        bucket = np.searchsorted(BUCKETS, [len(t) for t in texts])
        self.groups = [np.flatnonzero(bucket == b) for b in range(len(BUCKETS))]
        self.weights = np.array([len(g) for g in self.groups]) / len(texts)
        self.padded = {}

    def pad(self, row, length):
        if row not in self.padded:
            text = self.texts[row]
            self.padded[row] = np.pad(text, (0, length - len(text))).astype(np.int32)
        return self.padded[row]

    def __iter__(self):
        while True:
            b = self.rng.choice(len(BUCKETS), p=self.weights)
            rows = self.rng.choice(self.groups[b], self.size)
            words = np.stack([self.pad(r, BUCKETS[b]) for r in rows])
            yield words, self.desk[rows].astype(np.int32)


class RouterNet(keras.Model):
    def __init__(self, dim=32):
        super().__init__()
        self.embed = keras.layers.Embedding(WORDS, dim)
        self.mix = keras.layers.Dense(dim, activation="relu")
        self.out = keras.layers.Dense(DESKS)

    def call(self, words):
        mask = tf.cast(words > 0, tf.float32)[..., None]
        h = self.mix(self.embed(words)) * mask
        return self.out(tf.reduce_sum(h, 1) / tf.reduce_sum(mask, 1))


def make_step(model, optimizer):
    traced = []

    @tf.function
    def step(words, desk):
        traced.append(words.shape)
        with tf.GradientTape() as tape:
            each = tf.nn.sparse_softmax_cross_entropy_with_logits(desk, model(words))
            loss = tf.reduce_mean(each)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    return step, traced


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=48)
    args = parser.parse_args()

    keras.utils.set_random_seed(8)
    rng = np.random.default_rng(8)
    batcher = Batcher(*write_tickets(3000, rng), args.batch, rng)
    model = RouterNet()
    model(np.ones((1, BUCKETS[0]), np.int32))
    step, traced = make_step(model, keras.optimizers.Adam(2e-3))
    used, smooth = Counter(), None
    for number, (words, desk) in enumerate(batcher):
        if number == args.steps:
            break
        loss = float(step(words, desk))
        used[words.shape[1]] += 1
        smooth = loss if smooth is None else 0.98 * smooth + 0.02 * loss
        if number % 300 == 0:
            print(f"{number:5d}  loss {smooth:.3f}  lengths {sorted(used.items())}")
    print(f"{len(traced)} shapes compiled, last loss {smooth:.3f}")


if __name__ == "__main__":
    main()
