"""Batches of thirty lengths: each length is traced when it comes for the first time. Warm-up."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import Cause, Expectation

LENGTHS = range(10, 40)


def make_step(toggles: SimpleNamespace, *, seed: int = 0) -> Callable[[], object]:
    """Return a step that trains on a batch of sentences of one length."""
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)  # less to be disturbed by others

    words = tf.random.stateless_normal([1000, 64], [seed, 0])
    inner = tf.random.stateless_normal([64, 512], [seed, 1])
    output = tf.Variable(tf.random.stateless_normal([512, 1000], [seed, 2]) / 512**0.5)
    batches = itertools.cycle([tf.zeros([128, length], tf.int32) for length in LENGTHS])

    @tf.function
    def train(sentences: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            meaning = tf.reduce_mean(tf.gather(words, sentences), axis=1)
            loss = tf.reduce_mean(tf.square(tf.tanh(meaning @ inner) @ output))
        output.assign_sub(0.1 * tape.gradient(loss, output))
        return loss

    return lambda: train(next(batches))


CAUSE = Cause(
    slug="new_lengths",
    title="A trace for each length",
    summary="A tf.function is traced for every length of sentence that it meets.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="flat", steps=150, growth=0.0),
    notebook="02_retracing.ipynb",
)
