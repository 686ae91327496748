"""The mystery loops: a healthy train step with hidden slips in it, chosen by a seed.

A slip is a mistake of a real loop that gets larger at every step; `hidden` says which ones a seed
has. `mystery_step` runs in a worker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from labkit.faults import (
    CheckpointWriting,
    Fault,
    Garbage,
    GraphGrowth,
    History,
    KeptObjects,
    OpenTape,
    Rereading,
    Retracing,
    WorkGrowth,
)


@dataclass(frozen=True)
class Slip:
    """A fault that grows while the loop runs.

    Args:
        fault: Which.
        units: By how many of its units it is enlarged.
        every: After how many steps each.
    """

    fault: type[Fault]
    units: int
    every: int = 1

    def make(self) -> Callable[[], None]:
        """Return what acts it out once a step."""
        fault = self.fault()
        steps = 0

        def slip() -> None:
            nonlocal steps
            steps += 1
            if steps % self.every == 0:
                fault.enlarge(self.units)
            fault.act()

        return slip


SLIPS = {
    "graph_growth": Slip(GraphGrowth, 7),
    "retracing": Slip(Retracing, 1, every=3),
    "open_tape": Slip(OpenTape, 4),
    "history": Slip(History, 5),
    "garbage": Slip(Garbage, 800),
    "checkpoint_io": Slip(CheckpointWriting, 16),
    "input_pipeline": Slip(Rereading, 1),
    "kept_objects": Slip(KeptObjects, 1),
    "work_growth": Slip(WorkGrowth, 12),
}
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

    slips = [SLIPS[name].make() for name in hidden(seed)]

    def step() -> object:
        loss = train()
        for slip in slips:
            slip()
        return loss

    return step
