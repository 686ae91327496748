"""Learn vectors of words from their neighbours, then train a tagger on top of them."""

import argparse
import time

import numpy as np
import tensorflow as tf

WORDS = 3000
TAGS = 12
LENGTH = 24


def make_sentences(count, seed):
    """Return sentences of words, and a tag for each word."""
    random = np.random.default_rng(seed)
    tag_of = np.random.default_rng(0).integers(0, TAGS, WORDS)
    words = np.minimum(random.zipf(1.2, size=(count, LENGTH)) - 1, WORDS - 1)
    return words.astype("int32"), tag_of[words].astype("int32")


class Vectors(tf.Module):
    def __init__(self, size):
        super().__init__()
        self.inner = tf.Variable(tf.random.stateless_normal([WORDS, size], [1, 1]) / size**0.5)
        self.outer = tf.Variable(tf.random.stateless_normal([WORDS, size], [1, 2]) / size**0.5)

    @tf.function
    def train_step(self, words, others):
        with tf.GradientTape() as tape:
            inner = tf.gather(self.inner, words)
            near = tf.reduce_sum(inner[:, :-1] * tf.gather(self.outer, words[:, 1:]), axis=2)
            far = tf.einsum("bld,kd->blk", inner, tf.gather(self.outer, others))
            loss = tf.reduce_mean(tf.nn.softplus(-near)) + tf.reduce_mean(tf.nn.softplus(far))
        pair = [self.inner, self.outer]
        for table, gradient in zip(pair, tape.gradient(loss, pair), strict=True):
            table.scatter_sub(tf.IndexedSlices(0.5 * gradient.values, gradient.indices))
        return loss


def make_tagger(vectors, units):
    return tf.keras.Sequential(
        [
            tf.keras.layers.Embedding(WORDS, vectors.shape[1], weights=[vectors]),
            tf.keras.layers.Bidirectional(tf.keras.layers.GRU(units, return_sequences=True)),
            tf.keras.layers.Dense(TAGS),
        ]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vector-steps", type=int, default=1200)
    parser.add_argument("--tagger-steps", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--size", type=int, default=48)
    args = parser.parse_args()
    tf.keras.utils.set_random_seed(0)
    random = np.random.default_rng(1)
    words, tags = make_sentences(6000, seed=2)

    began = time.monotonic()
    vectors, step = Vectors(args.size), 0
    while step < args.vector_steps:
        rows = random.integers(0, len(words), args.batch)
        loss = vectors.train_step(words[rows], random.integers(0, WORDS, 64))
        step += 1
        if step % 200 == 0:
            print(f"vectors {step}: loss {float(loss):.3f}, {time.monotonic() - began:.1f} s")

    tagger = make_tagger(vectors.inner.numpy(), units=32)
    optimizer = tf.keras.optimizers.Adam(3e-3)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def tagger_step(inputs, targets):
        with tf.GradientTape() as tape:
            loss = loss_of(targets, tagger(inputs, training=True))
        gradients = tape.gradient(loss, tagger.trainable_variables)
        optimizer.apply_gradients(zip(gradients, tagger.trainable_variables, strict=True))
        return loss

    step = 0
    while step < args.tagger_steps:
        rows = random.integers(0, len(words), args.batch)
        loss = tagger_step(words[rows], tags[rows])
        step += 1
        if step % 200 == 0:
            print(f"tagger {step}: loss {float(loss):.3f}, {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main()
