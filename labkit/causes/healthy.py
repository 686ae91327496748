"""A healthy loop: nothing is wrong with it, and that is what it is for.

What goes wrong: nothing. A compiled Keras model takes the same step again and again. What its
curve still shows (a slow start, some noise, a spike now and then) belongs to every loop, and to
your machine.

What to expect: flat, with every counter at rest. Run it twice: the difference between two runs of
the same loop is the smallest difference that means anything on this machine.
"""

from __future__ import annotations

from types import SimpleNamespace

from labkit.cause import Cause, Expectation, Loop, Size, Toggle
from labkit.record import Column


def make_step(toggles: SimpleNamespace, *, width: int = 64, seed: int = 0) -> Loop:
    """Return a step that trains a small Keras model on one batch.

    Args:
        toggles: ``keep_losses`` and ``print_loss``, read at every step.
        width: Inputs and hidden units of the model.
        seed: Of the batch and the weights.
    """
    import numpy as np
    import tensorflow as tf

    tf.keras.utils.set_random_seed(seed)
    random = np.random.default_rng(seed)
    data = random.normal(size=(32, width)).astype("float32")
    target = random.normal(size=(32, 1)).astype("float32")
    model = tf.keras.Sequential(
        [
            tf.keras.Input([width]),
            tf.keras.layers.Dense(width, activation="relu"),
            tf.keras.layers.Dense(1),
        ]
    )
    model.compile("adam", "mse", jit_compile=False)
    losses: list[float] = []

    def step() -> object:
        loss = model.train_on_batch(data, target)
        if toggles.keep_losses:
            losses.append(loss)
        if toggles.print_loss:
            print(f"loss {loss:.4f}")
        return loss

    return Loop(
        step,
        {"slots": lambda: len(model.optimizer.variables), "losses": lambda: len(losses)},
    )


CAUSE = Cause(
    slug="healthy",
    title="A healthy loop",
    summary="A compiled Keras model takes the same step again and again; nothing grows.",
    make_step=make_step,
    toggles=(
        Toggle("keep_losses", "keep every loss", role="control"),
        Toggle("print_loss", "print every loss", role="control"),
    ),
    sizes=(Size("width", 64, 2, 2048, "inputs and hidden units of the model"),),
    expectation=Expectation(
        shape="flat",
        steps=500,
        growth=0.0,
        per_step={"slots": 0, "losses": 0, "graph_ops": 0, "traces": 0},
    ),
    notebook="00_read_the_curve.ipynb",
    lanes=("traces", "slots", "losses"),
    counters=(
        Column("slots", "variables of the optimizer", "variables", "counter"),
        Column("losses", "losses kept", "losses", "counter"),
    ),
    probes=("tracing", "eager", "keras_functions"),
)
