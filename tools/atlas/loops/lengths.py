"""Sentences of all lengths, in three orders: each step costs what its batch is long.

Longest first: speedup. File by file, each file with a length of its own: unsteady. Shuffled: flat.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import Cause, Expectation, Toggle

WORDS_IN_A_FILES_BATCH = (1200, 1900, 800, 1500, 1000, 1700, 700)
BATCHES_IN_A_FILE = 40
BATCHES = BATCHES_IN_A_FILE * len(WORDS_IN_A_FILES_BATCH)


def make_step(toggles: SimpleNamespace, *, seed: int = 0) -> Callable[[], object]:
    """Return a step that trains on the words of one batch."""
    import numpy as np
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)  # less to be disturbed by others

    random = np.random.default_rng(seed)
    usual = np.repeat(WORDS_IN_A_FILES_BATCH, BATCHES_IN_A_FILE)
    lengths = (usual * random.uniform(0.9, 1.1, BATCHES)).astype(int)
    if toggles.order == "longest_first":
        lengths = np.sort(lengths)[::-1]
    if toggles.order == "shuffled":
        lengths = random.permutation(lengths)
    words = tf.random.stateless_normal([2000, 256], [seed, 0])
    weights = tf.Variable(tf.random.stateless_normal([256, 256], [seed, 1]) / 256**0.5)

    @tf.function(input_signature=[tf.TensorSpec([None, 256])])  # one trace for all lengths
    def train(batch: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(batch @ weights) - batch))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    batches = itertools.cycle(lengths)
    return lambda: train(words[: next(batches)])


CAUSE = Cause(
    slug="lengths",
    title="Batches of many lengths",
    summary="A step costs what its batch is long, and the order of the batches makes the curve.",
    make_step=make_step,
    toggles=(
        Toggle(
            "order", "the order of the batches", default="longest_first",
            choices=("longest_first", "file_by_file", "shuffled"),
        ),
    ),
    sizes=(),
    expectation=Expectation(shape="flat", steps=BATCHES, growth=0.0),
    notebook="",
)  # fmt: skip
