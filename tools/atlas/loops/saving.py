"""A checkpoint every ten steps. Spikes, with their period."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import Cause, Expectation

EVERY = 10


def make_step(toggles: SimpleNamespace, *, seed: int = 0) -> Callable[[], object]:
    """Return a step that trains one layer, and at every tenth call saves it."""
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)  # less to be disturbed by others
    batch = tf.random.stateless_normal([64, 1024], [seed, 0])
    weights = tf.Variable(tf.random.stateless_normal([1024, 1024], [seed, 1]) / 1024**0.5)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(weights=weights), tempfile.mkdtemp(), max_to_keep=3
    )
    steps = itertools.count(1)

    @tf.function
    def train() -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(batch @ weights) - batch))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for _ in range(20):
        train()  # the first call traces, and the next few fill TensorFlow's pools of memory
    manager.save()

    def step() -> object:
        loss = train()
        if next(steps) % EVERY == 0:
            manager.save()
        return loss

    return step


CAUSE = Cause(
    slug="saving",
    title="A checkpoint every ten steps",
    summary="Every tenth step also saves the weights.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="comb", steps=150, growth=0.0),
    notebook="06_checkpoint_io.ipynb",
)
