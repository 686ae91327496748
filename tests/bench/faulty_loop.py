"""A loop that goes wrong on request, for the tests of the bench."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import Cause, Expectation, Size, Toggle

FAULTS = ("none", "raise", "exit", "leave", "hang", "flood", "hoard", "broken_build")


def make_step(toggles: SimpleNamespace, *, at: int = 20, seed: int = 0) -> Callable[[], float]:
    """Return a step that does a little arithmetic, and at its step ``at`` the fault."""
    import numpy as np
    import tensorflow as tf

    if toggles.fault == "broken_build":
        raise RuntimeError("the loop could not be built")
    for name, value in os.environ.items():
        if name.startswith("LABKIT_TEST"):
            print(f"{name}={value}", flush=True)
    matrix = tf.constant(np.random.default_rng(seed).normal(size=(64, 64)))
    hoard: list[bytearray] = []
    done = 0

    def step() -> float:
        nonlocal done
        done += 1
        if done > at:
            fault(toggles.fault)
        return float(tf.reduce_sum(tf.matmul(matrix, matrix)))

    def fault(name: str) -> None:
        if name == "raise":
            raise ValueError(f"step {done} went wrong")
        if name == "exit":
            sys.exit("enough")
        if name == "leave":
            os._exit(5)
        if name == "hang":
            import threading

            threading.Event().wait()
        if name == "flood":
            print("a flood of words " * 1000)
            os.write(2, b"and from below\n" * 1000)
        if name == "hoard":
            hoard.append(bytearray(os.urandom(1_000) * 20_000))

    return step


CAUSE = Cause(
    slug="faulty_loop",
    title="A faulty loop",
    summary="Goes wrong on request.",
    make_step=make_step,
    toggles=(
        Toggle("fault", "what goes wrong", default="none", choices=FAULTS),
        Toggle("quiet", "a switch that does nothing", role="control"),
        Toggle(
            "import_time",
            "a variable TensorFlow reads while it is imported",
            kind="launch",
            read="import",
            environment={"on": {"LABKIT_TEST_IMPORT": "1"}},
        ),
        Toggle(
            "op_time",
            "a variable TensorFlow reads at the first op",
            kind="launch",
            environment={"on": {"LABKIT_TEST_OP": "1"}},
        ),
    ),
    sizes=(Size("at", 20, 0, 100_000, "steps before the fault"),),
    expectation=Expectation(shape="flat", steps=100, growth=0.0),
    notebook="",
)
