"""A loop whose work grows by exactly what is asked for, for the bench; 0 is a flat loop."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import Cause, Expectation, Size


def make_step(
    toggles: SimpleNamespace, *, size: int = 64, work: int = 60, percent: int = 0, over: int = 400,
    seed: int = 0,
) -> Callable[[], float]:  # fmt: skip
    """Return a step that multiplies matrices, more often from step to step.

    Args:
        toggles: None are declared.
        size: Rows and columns of the matrices.
        work: Multiplications in the first step.
        percent: How many more there are in the last step.
        over: Which step is the last.
        seed: Of the matrix.
    """
    import tensorflow as tf

    start = tf.random.stateless_normal([size, size], [seed, 1])
    done = 0

    @tf.function
    def multiplied(times: tf.Tensor) -> tf.Tensor:
        product = start
        for _ in tf.range(times):
            product = tf.tanh(tf.matmul(product, start))
        return tf.reduce_mean(product)

    def step() -> float:
        nonlocal done
        times = round(work * (1 + percent / 100 * done / (over - 1)))
        done += 1
        return float(multiplied(tf.constant(times)))

    return step


CAUSE = Cause(
    slug="growing_work",
    title="Growing work",
    summary="Each step does a little more than the one before.",
    make_step=make_step,
    toggles=(),
    sizes=(
        Size("size", 64, 2, 2048, "rows and columns of the matrices"),
        Size("work", 60, 1, 10_000, "multiplications in the first step"),
        Size("percent", 0, 0, 1000, "how many more there are in the last step"),
        Size("over", 400, 2, 1_000_000, "which step is the last"),
    ),
    expectation=Expectation(shape="flat", steps=400, growth=0.0),
    notebook="",
)
