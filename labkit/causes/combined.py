"""Two causes at once: a growing graph, a checkpoint at every step, and a history that is averaged.

What goes wrong: causes add up, and some feed each other. Saving a checkpoint costs the same at
every step as long as the graph stays as it is. But ``Saver.save`` also writes the graph itself,
beside the weights. Let the graph grow, and saving gets more expensive too, although nobody changed
the saving. The mean of all losses so far gets more expensive on its own, with or without the
others.

What to expect: a ramp with all three on. The step time alone cannot say whose it is; the ledger
splits it. Switch the growing off, and saving is level as well: it was never saving's own fault.
Where the graph must grow, save without it. Where only the average is wanted, keep a running one.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation, Loop, Size, Toggle
from labkit.record import Column


def save(saver: Any, session: Any, path: str, *, with_graph: bool) -> None:
    """Write a checkpoint, with or without the graph beside it."""
    saver.save(session, path, write_meta_graph=with_graph)


def average(losses: list[float]) -> float:
    """Return the mean of all losses so far."""
    import numpy as np

    return float(np.mean(losses))


def make_step(toggles: SimpleNamespace, *, rows: int = 1024, every: int = 1, seed: int = 0) -> Loop:
    """Return a step that measures the loss of each row of a batch, saves, and reports the mean.

    Args:
        toggles: ``grow``, ``checkpoint``, ``history``, ``weights_only`` and ``running_mean``, read
            at every step.
        rows: Rows of 64 numbers in a batch; each has a loss of its own.
        every: Save at every so many steps.
        seed: Of the batch and the weights.
    """
    import tempfile

    import numpy as np
    import tensorflow as tf

    random = np.random.default_rng(seed)
    batch = random.normal(size=(rows, 64)).astype("float32")
    start = random.normal(size=(64, 64)).astype("float32")

    graph = tf.Graph()
    with graph.as_default():
        data = tf.compat.v1.placeholder(tf.float32, [rows, 64], name="data")
        weights = tf.compat.v1.Variable(start, name="weights")
        row_losses = tf.reduce_mean(tf.square(tf.matmul(data, weights) - data), axis=1)
        saver = tf.compat.v1.train.Saver(max_to_keep=1)
    session = tf.compat.v1.Session(graph=graph)
    session.run(weights.initializer)
    path = str(Path(tempfile.mkdtemp()) / "weights")
    graph_file = Path(f"{path}.meta")  # where Saver.save writes the graph
    losses: list[float] = []
    total, steps, saves = 0.0, 0, 0

    def step() -> object:
        nonlocal row_losses, total, steps, saves

        with graph.as_default():
            if toggles.grow:
                row_losses = tf.reduce_mean(tf.square(tf.matmul(data, weights) - data), axis=1)
            new = session.run(row_losses, {data: batch}).tolist()
            losses.extend(new)
            total, steps = total + sum(new), steps + 1
            if toggles.checkpoint and steps % every == 0:
                save(saver, session, path, with_graph=not toggles.weights_only)
                saves += 1

        if toggles.history and not toggles.running_mean:
            return average(losses)
        return total / len(losses)

    return Loop(
        step,
        {
            "losses": lambda: len(losses),
            "saves": lambda: saves,
            "graph_file_bytes": lambda: graph_file.stat().st_size if graph_file.exists() else 0,
        },
    )


CAUSE = Cause(
    slug="combined",
    title="Two causes at once",
    summary="A growing graph makes checkpoints more expensive, and a history grows beside them.",
    make_step=make_step,
    toggles=(
        Toggle("grow", "grow the graph", default="on"),
        Toggle("checkpoint", "save checkpoints", default="on"),
        Toggle("history", "average the whole history", default="on"),
        Toggle("weights_only", "save the weights only", role="fix"),
        Toggle("running_mean", "keep a running mean", role="fix"),
    ),
    sizes=(
        Size("rows", 1024, 1, 8192, "rows of a batch, each with a loss"),
        Size("every", 1, 1, 1000, "steps from one checkpoint to the next"),
    ),
    expectation=Expectation(
        shape="ramp",
        steps=150,
        growth=1.0,
        per_step={"graph_ops": 6, "losses": 1024, "saves": 1},
        places=("saving a checkpoint", "session extension", "session run"),
    ),
    notebook="07_session_reuse.ipynb",
    lanes=("graph_ops", "graph_file_bytes", "losses"),
    counters=(
        Column("losses", "losses kept", "losses", "counter"),
        Column("saves", "checkpoints saved", "checkpoints", "counter"),
        Column("graph_file_bytes", "the graph file beside the checkpoint", "bytes", "counter"),
    ),
    functions={"save": "saving a checkpoint", "average": "averaging the history"},
)
