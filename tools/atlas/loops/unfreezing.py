"""Fine-tuning: at first only the last layer is trained, and from step 140 on all of them. Shift."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation

UNFROZEN_FROM = 140


def make_step(toggles: SimpleNamespace, *, seed: int = 0) -> Callable[[], object]:
    """Return a step that trains the last of four layers, and later all four."""
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)  # less to be disturbed by others

    batch = tf.random.stateless_normal([128, 512], [seed, 0])
    layers = [
        tf.Variable(tf.random.stateless_normal([512, 512], [seed, number]) / 512**0.5)
        for number in range(4)
    ]

    def training_of(trained: list[Any]) -> Any:
        @tf.function
        def train() -> tf.Tensor:
            with tf.GradientTape(watch_accessed_variables=False) as tape:
                tape.watch(trained)
                hidden = batch
                for layer in layers:
                    hidden = tf.tanh(hidden @ layer)
                loss = tf.reduce_mean(tf.square(hidden - batch))
            for layer, gradient in zip(trained, tape.gradient(loss, trained), strict=True):
                layer.assign_sub(0.1 * gradient)
            return loss

        return train

    last_layer, all_layers = training_of(layers[-1:]), training_of(layers)
    steps = itertools.count()
    return lambda: last_layer() if next(steps) < UNFROZEN_FROM else all_layers()


CAUSE = Cause(
    slug="unfreezing",
    title="Layers that are unfrozen",
    summary="From one step on, gradients are computed for all layers and not only for the last.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="stairs", steps=240, growth=0.5),
    notebook="",
)
