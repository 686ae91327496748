"""Graph growth: a TensorFlow 1 style loop that adds ops to its graph at every step.

What goes wrong: in graph mode ``tf.matmul`` does not compute. It adds an op to a graph, and
``session.run`` computes. Code that builds its ops inside the loop makes the graph larger at every
step, and before a session can run a graph that has changed, TensorFlow reads the new graph, checks
it and prepares it again. That work grows with the whole graph, not with what was added.

What to expect: step time and op count rise together. Switch the growing off, and what TensorFlow
spent on the changed graph is gone at once. Where the ops stand alone the curve falls to the floor.
Where they feed each other it falls only part of the way and stays dear, because the newest op
needs all before it, computed anew at every step. The repair is to build once, before the loop, and
to feed the data through a placeholder.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import Cause, Expectation, Size, Toggle


def make_step(toggles: SimpleNamespace, *, size: int = 256, seed: int = 0) -> Callable[[], object]:
    """Return a step that measures the loss of one batch.

    Args:
        toggles: ``grow``, ``chain`` and ``build_once``, read at every step.
        size: The batch and the weights are ``size`` x ``size`` numbers.
        seed: Of the batch and the weights.
    """
    import numpy as np
    import tensorflow as tf

    random = np.random.default_rng(seed)
    batch = random.normal(size=(size, size)).astype("float32")
    # An orthogonal matrix keeps the numbers the same size however long the chain becomes.
    rotation = np.linalg.qr(random.normal(size=(size, size)))[0].astype("float32")

    graph = tf.Graph()
    with graph.as_default():
        data = tf.compat.v1.placeholder(tf.float32, [size, size], name="data")
        weights = tf.compat.v1.Variable(rotation, name="weights")
        hidden = tf.matmul(data, weights)
        loss = tf.reduce_mean(tf.square(hidden - data))
        built_once = loss
    session = tf.compat.v1.Session(graph=graph)
    session.run(weights.initializer)

    def step() -> object:
        nonlocal hidden, loss

        if toggles.build_once:
            return session.run(built_once, {data: batch})

        if toggles.grow:
            with graph.as_default():
                hidden = tf.matmul(hidden if toggles.chain else data, weights)
                loss = tf.reduce_mean(tf.square(hidden - data))

        return session.run(loss, {data: batch})

    return step


CAUSE = Cause(
    slug="graph_growth",
    title="Graph growth",
    summary="Every step adds ops to the graph, and the session prepares the whole graph again.",
    make_step=make_step,
    toggles=(
        Toggle("grow", "grow the graph", default="on"),
        Toggle("chain", "chain the ops", default="off"),
        Toggle("build_once", "build once", default="off", role="fix"),
    ),
    sizes=(Size("size", 256, 2, 1024, "rows and columns of the batch and the weights"),),
    expectation=Expectation(
        shape="ramp",
        steps=300,
        growth=0.8,
        per_step={"graph_ops": 6},
        places=("session extension", "session run"),
    ),
    notebook="01_graph_growth.ipynb",
    lanes=("graph_ops", "resident_bytes"),
)
