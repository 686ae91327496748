"""Graph growth: a TensorFlow 1 style loop that adds ops to its graph at every step.

What goes wrong: in graph mode ``tf.matmul`` does not compute. It adds an op to a graph, and
``session.run`` computes. Code that builds its ops inside the loop makes the graph larger at every
step, and before a session can run a graph that has changed, TensorFlow reads the new graph, checks
it and prepares it again. That work grows with the whole graph, not with what was added.

It needs no layer to make it grow. A ``Saver``, an op that sets the learning rate, or a constant
that is written inside the loop: each adds ops that nobody wanted.

What to expect: step time and op count rise together. Switch the growing off, and what TensorFlow
spent on the changed graph is gone at once. Where the ops stand alone the curve falls to the floor.
Where they feed each other it falls only part of the way and stays expensive, because the newest op
needs all before it, computed anew at every step. The repair is to build once, before the loop, and
to feed the data through a placeholder. The guard is ``graph.finalize()``: from then on TensorFlow
refuses a new op, and the line that builds it shows itself.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import Cause, Expectation, Explanation, Mechanism, Size, Toggle

COUNTS = ("1", "2", "4", "8", "16")


def make_step(toggles: SimpleNamespace, *, size: int = 256, seed: int = 0) -> Callable[[], object]:
    """Return a step that measures the loss of one batch.

    Args:
        toggles: Read at every step. What grows: ``grow``, ``chain``, ``saver_in_loop``,
            ``assign_in_loop``, ``constant_in_loop``; how much: ``losses``. What repairs it:
            ``finalize``, ``build_once``.
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
        rate = tf.compat.v1.Variable(0.1, name="learning_rate", trainable=False)
        hidden = tf.matmul(data, weights)
        loss = tf.reduce_mean(tf.square(hidden - data))
        built_once = loss
    session = tf.compat.v1.Session(graph=graph)
    session.run([weights.initializer, rate.initializer])

    def step() -> object:
        nonlocal hidden, loss

        if toggles.finalize:
            graph.finalize()  # from now on a new op is an error; there is no way back

        if toggles.build_once:
            return session.run(built_once, {data: batch})

        with graph.as_default():
            for _ in range(int(toggles.losses) if toggles.grow else 0):
                hidden = tf.matmul(hidden if toggles.chain else data, weights)
                loss = tf.reduce_mean(tf.square(hidden - data))
            if toggles.assign_in_loop:
                session.run(tf.compat.v1.assign(rate, 0.1))
            if toggles.saver_in_loop:
                tf.compat.v1.train.Saver()  # it need not even save
            wanted = tf.constant(1.0) * loss if toggles.constant_in_loop else loss

        return session.run(wanted, {data: batch})

    return step


CAUSE = Cause(
    slug="graph_growth",
    title="Graph growth",
    summary="Every step adds ops to the graph, and the session prepares the whole graph again.",
    make_step=make_step,
    toggles=(
        Toggle("grow", "grow the graph", default="on"),
        Toggle("losses", "losses a step", default="1", choices=COUNTS, ordered=True),
        Toggle("chain", "chain the ops"),
        Toggle("build_once", "build once", role="fix"),
        Toggle("saver_in_loop", "a new Saver"),
        Toggle("assign_in_loop", "assign the rate"),
        Toggle("constant_in_loop", "a new constant"),
        Toggle("finalize", "finalize the graph", role="fix"),
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
    mechanism=Mechanism(
        "graph_ops",
        "New ops join; the session reads all again.",
        ("session_extension_seconds",),
        done="read anew",
        when_new=True,
        rest="No change: the session reads nothing anew.",
    ),
    explanations=(
        Explanation(
            "RuntimeError",
            "finalized",
            "The guard did its work: the graph was finalized, a line of the loop wanted to add an "
            "op, and TensorFlow refused. The traceback names the line; what the graph holds "
            "already can still be run, so build that op before the loop.",
        ),
    ),
)
