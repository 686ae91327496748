"""A loop that was made ready: its one function is traced before the clock starts. Flat."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import Cause, Expectation


def make_step(toggles: SimpleNamespace, *, seed: int = 0) -> Callable[[], object]:
    """Return a step that trains one layer on one batch."""
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)  # less to be disturbed by others

    batch = tf.random.stateless_normal([512, 512], [seed, 0])
    weights = tf.Variable(tf.random.stateless_normal([512, 512], [seed, 1]) / 512**0.5)

    @tf.function
    def train() -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(batch @ weights) - batch))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    for _ in range(5):
        train()  # the first call traces, and the next few fill TensorFlow's pools of memory
    step: Callable[[], object] = train
    return step


CAUSE = Cause(
    slug="ready",
    title="A loop that was made ready",
    summary="The train function is traced before the first step that counts.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="flat", steps=300, growth=0.0),
    notebook="00_read_the_curve.ipynb",
)
