"""A loop that takes longer from step to step by exactly what is asked for; 0 percent is flat.

It computes more, or it waits longer: it sleeps, waits for a disk, or exchanges numbers with another
worker, which does the same.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import Cause, Expectation, Size, Toggle

BYTES = 200_000


def make_step(
    toggles: SimpleNamespace, *, size: int = 64, work: int = 60, start_us: int = 4_000,
    percent: int = 0, over: int = 400, seed: int = 0,
) -> Callable[[], object]:  # fmt: skip
    """Return a step that does the more of something the later it comes.

    Args:
        toggles: ``grows`` says of what.
        size: Rows and columns of the matrices that it multiplies or exchanges.
        work: Multiplications in the first step.
        start_us: How long the first step waits, in microseconds; for the disk and the other worker
            about.
        percent: How much more there is in the last step.
        over: Which step is the last.
        seed: Of the matrix.
    """
    if toggles.grows == "work":
        act = _work(size, work, seed)
    elif toggles.grows == "exchange":
        act = _exchange(size, start_us)
    else:
        act = _wait(toggles.grows, start_us)
    done = 0

    def step() -> object:
        nonlocal done
        more = 1 + percent / 100 * done / (over - 1)
        done += 1
        return act(more)

    return step


def _work(size: int, work: int, seed: int) -> Callable[[float], object]:
    import tensorflow as tf

    start = tf.random.stateless_normal([size, size], [seed, 1])

    @tf.function
    def multiplied(times: tf.Tensor) -> tf.Tensor:
        product = start
        for _ in tf.range(times):
            product = tf.tanh(tf.matmul(product, start))
        return tf.reduce_mean(product)

    return lambda more: float(multiplied(tf.constant(round(work * more))))


def _wait(what: str, start_us: int) -> Callable[[float], object]:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - open for as long as the loop runs

    def wait(more: float) -> None:
        sum(range(20_000))
        if what == "sleep":
            time.sleep(1e-6 * start_us * more)
            return
        for _ in range(round(start_us / 1_000 * more)):
            file.seek(0)
            file.write(bytes(BYTES))
            file.flush()
            os.fsync(file.fileno())

    return wait


def _exchange(size: int, start_us: int) -> Callable[[float], object]:
    import tensorflow as tf

    ring = tf.distribute.experimental.CommunicationImplementation.RING
    strategy = tf.distribute.MultiWorkerMirroredStrategy(
        communication_options=tf.distribute.experimental.CommunicationOptions(implementation=ring)
    )
    with strategy.scope():
        numbers = tf.Variable(tf.ones([size, size]))

    def update() -> None:
        replica = tf.distribute.get_replica_context()
        mean = replica.all_reduce(tf.distribute.ReduceOp.MEAN, tf.identity(numbers))
        numbers.assign(mean)

    @tf.function
    def exchange() -> None:
        strategy.run(update)

    def exchanges(more: float) -> None:
        for _ in range(round(start_us / 1_000 * more)):
            exchange()

    return exchanges


CAUSE = Cause(
    slug="growing",
    title="A growing step",
    summary="Each step does a little more than the one before.",
    make_step=make_step,
    toggles=(
        Toggle(
            "grows",
            "what grows",
            default="work",
            choices=("work", "sleep", "disk", "exchange"),
            kind="launch",
            workers={"exchange": 2},
        ),
    ),
    sizes=(
        Size("size", 64, 2, 2048, "rows and columns of the matrices"),
        Size("work", 60, 1, 10_000, "multiplications in the first step"),
        Size("start_us", 4_000, 100, 1_000_000, "how long the first step waits"),
        Size("percent", 0, 0, 10_000, "how much more there is in the last step"),
        Size("over", 400, 2, 1_000_000, "which step is the last"),
    ),
    expectation=Expectation(shape="flat", steps=400, growth=0.0),
    notebook="",
)
