"""The open tape: a gradient tape that is never closed, so every gradient goes back to step one.

What goes wrong: while a ``tf.GradientTape`` is open it records every op that depends on a variable.
``tape.gradient(loss, weights)`` walks back from the loss through all recorded ops that led to it.
Where one tape stays open, and the loss is a running total or the state is carried from step to
step, the way back is longer at every step, and all that lies on it is kept in memory.

What to expect: step time and memory climb together. ``persistent=True`` looks guilty, because such
a loop needs it: without it the second gradient raises an error. It is innocent. A persistent tape
for each step is flat, and one that is entered again at each step is flat in time as well, though it
keeps its memory: the walk meets only the ops that lead to the loss. ``stop_recording`` around the
gradient saves the memory for the gradient's own ops, and nothing else. The repair is one tape for
each step.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation, Explanation, Mechanism, Size, Toggle


def make_step(toggles: SimpleNamespace, *, size: int = 16, seed: int = 0) -> Callable[[], object]:
    """Return a step that computes a gradient and moves the weights a little.

    Args:
        toggles: ``hold``, ``layers``, ``persistent`` and ``tf1_gradients``, read at every step.
        size: The batch and the weights are ``size`` x ``size`` numbers.
        seed: Of the batch and the weights.
    """
    import numpy as np
    import tensorflow as tf

    random = np.random.default_rng(seed)
    numbers = random.normal(size=(size, size)).astype("float32")
    rotation = np.linalg.qr(random.normal(size=(size, size)))[0].astype("float32")
    batch, weights = tf.constant(numbers), tf.Variable(rotation)

    graph = tf.Graph()
    with graph.as_default():
        old_weights = tf.compat.v1.get_variable("weights", initializer=rotation)
        old_loss = tf.reduce_mean(tf.square(tf.matmul(numbers, old_weights)))
    session = tf.compat.v1.Session(graph=graph)
    session.run(old_weights.initializer)

    setting: Any = None
    tape: Any = None
    total = state = batch
    left_open = ExitStack()

    def through_layers(start: Any) -> Any:
        for _ in range(int(toggles.layers)):
            start = tf.matmul(start, weights)
        return start

    def start_afresh() -> None:
        nonlocal setting, tape, total, state
        setting = (toggles.hold, toggles.persistent)
        total, state = tf.constant(0.0), batch
        left_open.close()
        tape = tf.GradientTape(persistent=toggles.persistent)
        if toggles.hold not in ("per_step", "reentered"):
            left_open.enter_context(tape)

    def step() -> object:
        nonlocal total, state
        if toggles.tf1_gradients:
            with graph.as_default():
                (added,) = tf.compat.v1.gradients(old_loss, [old_weights])
            return session.run(added)

        if setting != (toggles.hold, toggles.persistent):
            start_afresh()
        if toggles.hold == "per_step":
            with tf.GradientTape(persistent=toggles.persistent) as own_tape:
                loss = tf.reduce_mean(tf.square(through_layers(batch)))
            gradient = own_tape.gradient(loss, weights)
        elif toggles.hold == "reentered":
            with tape:
                loss = tf.reduce_mean(tf.square(through_layers(batch)))
            gradient = tape.gradient(loss, weights)
        elif toggles.hold == "state_carried":
            state = tf.tanh(through_layers(state))
            gradient = tape.gradient(tf.reduce_mean(tf.square(state)), weights)
        else:
            total += tf.reduce_mean(tf.square(through_layers(batch)))
            with tape.stop_recording() if toggles.hold == "stop_recording" else ExitStack():
                gradient = tape.gradient(total, weights)
        weights.assign_sub(0.01 * gradient)
        return gradient

    return step


CAUSE = Cause(
    slug="open_tape",
    title="The open tape",
    summary="A gradient tape stays open, and each gradient goes back through all steps so far.",
    make_step=make_step,
    toggles=(
        Toggle(
            "hold", "hold the tape", default="open_accumulated",
            choices=(
                "per_step", "reentered", "open_accumulated", "state_carried", "stop_recording",
            ),
        ),
        Toggle("layers", "layers a step", default="1", choices=("1", "2", "4", "8"), ordered=True),
        Toggle("persistent", "persistent=True", default="on", role="control"),
        Toggle("tf1_gradients", "TF1 gradients instead"),
    ),
    sizes=(Size("size", 16, 2, 256, "rows and columns of the batch and the weights", small=8),),
    expectation=Expectation(
        shape="ramp",
        steps=150,
        growth=1.5,
        per_step={"gradient_ops": 5},
        places=("gradients", "session extension"),
    ),
    notebook="03_open_tape.ipynb",
    lanes=("gradient_ops", "resident_bytes"),
    probes=("tape",),
    mechanism=Mechanism(
        "gradient_ops", "The gradient walks back through everything recorded.",
        ("gradients_seconds",), done="walked back", backwards=True,
    ),
    explanations=(
        Explanation(
            "RuntimeError",
            "non-persistent GradientTape",
            "A tape gives one gradient and is used up. Switch persistent=True on to ask this one "
            "again at every step, or make a new tape for each step, which is the repair.",
        ),
    ),
)  # fmt: skip
