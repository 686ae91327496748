"""The mystery loops: a healthy train step with hidden slips in it, chosen by a seed.

This file is run in a worker by its path, so it imports nothing of labkit. A slip is a mistake of a
real loop, acted out once a step; `hidden` says which ones a seed has.
"""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Callable
from random import Random
from typing import Any

Slip = Callable[[], None]


def graph_growth(tf: Any) -> Slip:
    """Ops are built at every step, and the newest is run."""
    graph = tf.Graph()
    with graph.as_default():
        start = tf.compat.v1.placeholder_with_default(1.0, [])
    session = tf.compat.v1.Session(graph=graph)

    def slip() -> None:
        with graph.as_default():
            newest = [tf.identity(start) for _ in range(8)]
        session.run(newest[-1])

    return slip


def retracing(tf: Any) -> Slip:
    """A function is made anew at every step, and unrolls a loop that gets longer."""
    start = tf.ones([4, 4])
    turns = 0

    def slip() -> None:
        nonlocal turns
        turns += 1

        @tf.function(autograph=False)
        def unrolled(state: Any) -> Any:
            for _ in range(turns // 3):
                state = state @ state
            return state

        unrolled(start)

    return slip


def open_tape(tf: Any) -> Slip:
    """One tape stays open, so each gradient goes back through all steps."""
    state = tf.Variable(1.0)
    tape = tf.GradientTape(persistent=True)
    tape.__enter__()
    total = state * 1.0

    def slip() -> None:
        nonlocal total
        for _ in range(4):
            total = total * 0.999 + state * 0.001
        tape.gradient(total, state)

    return slip


def history(tf: Any) -> Slip:
    """All losses so far are averaged at every step."""
    losses: list[Any] = []

    def slip() -> None:
        losses.extend(tf.constant(0.5 / (1 + len(losses))) for _ in range(5))
        tf.reduce_mean(tf.stack(losses))

    return slip


def garbage(tf: Any) -> Slip:
    """The collector is called by hand, on a heap that grows."""
    records: list[dict[str, list[int]]] = []

    def slip() -> None:
        records.extend({"row": [place]} for place in range(800))
        gc.collect()

    gc.collect()
    gc.freeze()
    return slip


def checkpoint_io(tf: Any) -> Slip:
    """A table that grows is saved at every step."""
    table = tf.Variable(tf.zeros([1, 4096]), shape=[None, 4096])
    checkpoint = tf.train.Checkpoint(table=table)
    path = os.path.join(tempfile.mkdtemp(), "table")

    def slip() -> None:
        table.assign(tf.concat([table, tf.zeros([1, 4096])], 0))
        checkpoint.write(path)

    return slip


def input_pipeline(tf: Any) -> Slip:
    """Each step goes through the data from the beginning to where it stopped."""
    noise = tf.random.stateless_normal([32, 32], [1, 2]) * 0.1
    data = tf.data.Dataset.range(1_000_000).map(
        lambda number: tf.reduce_mean(tf.tanh(noise @ noise + tf.cast(number, tf.float32)))
    )
    done = 0

    def slip() -> None:
        nonlocal done
        next(iter(data.skip(done)))
        done += 1

    return slip


def work_growth(tf: Any) -> Slip:
    """The model is evaluated on ever more rows: honest work, and no mistake."""
    kernel = tf.random.stateless_normal([256, 256], [1, 1]) * 0.1
    rows = tf.random.stateless_normal([20_000, 256], [1, 3])
    used = 32

    @tf.function(input_signature=[tf.TensorSpec([None, 256])])
    def evaluate(data: Any) -> Any:
        return tf.reduce_mean(tf.tanh(tf.tanh(data @ kernel) @ kernel))

    def slip() -> None:
        nonlocal used
        used = min(used + 12, 20_000)
        evaluate(rows[:used])

    return slip


def kept_objects(tf: Any) -> Slip:
    """A tensor of every step is kept: it costs memory, and no time."""
    kept: list[Any] = []

    def slip() -> None:
        kept.append(tf.zeros([64, 16]) + 1.0)

    return slip


SLIPS: dict[str, Callable[[Any], Slip]] = {
    each.__name__: each
    for each in (
        graph_growth, retracing, open_tape, history, garbage, checkpoint_io, input_pipeline,
        kept_objects, work_growth,
    )
}  # fmt: skip
# Honest growth comes alone: beside a mistake nobody could say which of both it was.
HONEST = "work_growth"


def hidden(seed: int) -> tuple[str, ...]:
    """Return what a seed hides, in the order of `SLIPS`: nothing, one slip or two.

    Only `Random.random` is used: Python promises that it gives the same numbers everywhere.

    Args:
        seed: From 0.
    """
    random = Random(f"labkit mystery {seed}").random
    kind = random()
    if kind < 0.2:
        return ()
    if kind < 0.35:
        return (HONEST,)
    slips = [name for name in SLIPS if name != HONEST]
    chosen = {slips.pop(int(random() * len(slips)))}
    if kind > 0.7:
        chosen.add(slips.pop(int(random() * len(slips))))
    return tuple(name for name in SLIPS if name in chosen)


def mystery_step(seed: int) -> Callable[[], object]:
    """Return the step of a seed's loop; it returns its loss.

    Args:
        seed: From 0.
    """
    import tensorflow as tf

    inputs = tf.random.stateless_normal([128, 128], [1, 1])
    weights = tf.Variable(tf.random.stateless_normal([128, 128], [1, 2]) * 0.1)

    @tf.function
    def train() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(inputs @ weights) - 0.5))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    slips = [SLIPS[name](tf) for name in hidden(seed)]

    def step() -> object:
        loss = train()
        for slip in slips:
            slip()
        return loss

    return step
