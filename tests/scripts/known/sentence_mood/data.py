"""Sentences of many lengths, in batches of similar ones."""

import numpy as np
import tensorflow as tf

WORDS = 12_000
BUCKETS = (16, 20, 24, 28, 32)


def make_sentences(count, seed):
    """Return sentences as lists of word numbers, each with whether its mood is good."""
    random = np.random.default_rng(seed)
    mood = np.random.default_rng(0).normal(size=WORDS)
    lengths = random.integers(10, BUCKETS[-1], count)
    sentences = [random.integers(1, WORDS, length) for length in lengths]
    moods = [float(mood[sentence].mean() > 0) for sentence in sentences]
    return sentences, moods


def batches(count, batch, seed):
    """Return a dataset of padded batches; a batch has one of five lengths."""
    sentences, moods = make_sentences(count, seed)
    ragged = tf.ragged.constant(sentences, dtype=tf.int32)
    data = tf.data.Dataset.from_tensor_slices((ragged, tf.constant(moods)))
    data = data.map(lambda words, mood: (words, mood)).cache()
    data = data.shuffle(512, seed=seed)
    return data.bucket_by_sequence_length(
        element_length_func=lambda words, mood: tf.shape(words)[0],
        bucket_boundaries=[length + 1 for length in BUCKETS],
        bucket_batch_sizes=[batch] * (len(BUCKETS) + 1),
        pad_to_bucket_boundary=True,
        drop_remainder=True,
    ).prefetch(4)
