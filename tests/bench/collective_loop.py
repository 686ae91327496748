"""A loop whose workers meet at every step, for the tests of the cluster; one may stay away."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import Cause, Expectation, Size, Toggle
from labkit.causes import load


def make_step(toggles: SimpleNamespace, *, at: int = 5, seed: int = 0) -> Callable[[], float]:
    """Return a step that adds up the numbers of all workers: 1 of the first, 2 of the second."""
    import tensorflow as tf

    number = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    done = 0

    def add() -> object:
        own = tf.constant(1.0 + number)
        replica = tf.distribute.get_replica_context()
        return replica.all_reduce(tf.distribute.ReduceOp.SUM, tf.identity(own))

    @tf.function
    def together() -> object:
        return strategy.run(add)

    def step() -> float:
        nonlocal done
        done += 1
        if toggles.absent and number == 1 and done > at:
            threading.Event().wait()
        total = float(strategy.experimental_local_results(together())[0])
        assert total == 3.0
        return total

    return step


CAUSE = Cause(
    slug="collective_loop",
    title="A loop of two workers",
    summary="Each step meets the other worker.",
    make_step=make_step,
    toggles=(
        Toggle("pair", "two workers", default="on", kind="launch", workers={"on": 2}),
        Toggle("absent", "one stays away"),
    ),
    sizes=(Size("at", 5, 0, 100_000, "steps before one stays away"),),
    expectation=Expectation(shape="flat", steps=50, growth=0.0),
    notebook="",
    explanations=load("two_workers").explanations,
)
