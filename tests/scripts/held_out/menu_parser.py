"""Finds dishes and prices in the lines of menus of any length, batched with lines like them."""

import argparse

import keras
import numpy as np
import tensorflow as tf

WORDS = 800
TAGS = 5
LIMITS = [10, 16, 24, 32]


def make_lines(count, rng):
    """Each word belongs to a tag, mostly; some only after a word that is even."""
    tags_of = rng.integers(1, TAGS, WORDS)
    for _ in range(count):
        words = rng.integers(1, WORDS, rng.integers(4, 40))
        tags = tags_of[words].copy()
        tags[1:][words[:-1] % 2 == 0] = 1
        yield words.astype("int32"), tags.astype("int32")


def epoch_of(lines, batch, seed):
    dataset = tf.data.Dataset.from_generator(
        lambda: iter(lines),
        output_signature=(tf.TensorSpec([None], tf.int32), tf.TensorSpec([None], tf.int32)),
    )
    dataset = dataset.shuffle(1000, seed=seed)
    dataset = dataset.bucket_by_sequence_length(
        lambda words, tags: tf.size(words),
        bucket_boundaries=[limit + 1 for limit in LIMITS],
        bucket_batch_sizes=[batch] * (len(LIMITS) + 1),
        padded_shapes=([None], [None]),
        drop_remainder=True,
    )
    return dataset.map(pad, num_parallel_calls=2).prefetch(4)


def pad(words, tags):
    """Fill up to the limit of the bucket, so that there are only a few shapes."""
    length = tf.shape(words)[1]
    limits = tf.constant([*LIMITS, 40])
    room = tf.reduce_min(tf.boolean_mask(limits, limits >= length)) - length
    return tf.pad(words, [[0, 0], [0, room]]), tf.pad(tags, [[0, 0], [0, room]])


class Tagger:
    def __init__(self, units, rate):
        x = words = keras.Input((None,), dtype="int32")
        x = keras.layers.Embedding(WORDS, 32)(x)
        x = keras.layers.Conv1D(units, 3, padding="same", activation="relu")(x)
        x = keras.layers.Bidirectional(keras.layers.GRU(units // 2, return_sequences=True))(x)
        self.model = keras.Model(words, keras.layers.Dense(TAGS)(x))
        self.optimizer = keras.optimizers.Adam(rate)
        self.optimizer.build(self.model.trainable_variables)

    @tf.function
    def step(self, words, tags):
        print(f"(compiling for {words.shape[1]} words)")
        with tf.GradientTape() as tape:
            logits = self.model(words, training=True)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(tags, logits)
            mask = tf.cast(tags > 0, tf.float32)
            loss = tf.reduce_sum(losses * mask) / tf.reduce_sum(mask)
        variables = self.model.trainable_variables
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return loss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--units", type=int, default=48)
    parser.add_argument("--seed", type=int, default=83)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    lines = list(make_lines(args.lines, np.random.default_rng(args.seed)))
    tagger, step, losses = Tagger(args.units, 2e-3), 0, []
    for epoch in range(args.epochs):
        for words, tags in epoch_of(lines, args.batch, args.seed + epoch):
            losses.append(float(tagger.step(words, tags)))
            step += 1
        mean = sum(losses[-100:]) / len(losses[-100:])
        print(f"epoch {epoch + 1}: {step} steps, loss {mean:.4f}", flush=True)

    words, tags = lines[0]
    found = tagger.model(words[None]).numpy()[0].argmax(axis=1)
    print(f"first line: {np.mean(found == tags):.2f} of its tags are right")


if __name__ == "__main__":
    main()
