"""What watching costs: the same step with all that `lk.watch` does around and in it, and without.

Two parts, both in the time of the step's own thread. Other programs, and the threads that compute,
move the wall clock by more than what is measured; all that watching does is done on that thread.
What is done around each step is timed as it happens, the wait for the next item included. What the
hooks cost within it is the difference between stretches of steps with hooks and without, which take
turns in one process. Not in it are the looks that keep to a share of the time of their own and mark
or follow the steps: the canary (1 %) and the expensive looks (about a tenth).
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat

import numpy as np

from labkit.lab.own_loop.watching import Watching
from labkit.measure.clock.sampling import Looked
from labkit.measure.clock.timing import timed
from labkit.measure.machine.canary import CanaryProbe
from tools.bench.figure import Figure

GROUP = "what watching costs"
# Patches make Python specialise its bytecode anew; a loop pays for that once, not each step.
WARM_STEPS = 70


@dataclass(frozen=True)
class Size:
    """A step, and how often it is timed.

    Args:
        step_ms: How long it takes, about.
        goal_percent: What watching may add.
        blocks: How many pairs of blocks.
        steps: How many steps a block has, after those that warm up.
    """

    step_ms: float
    goal_percent: float
    blocks: int
    steps: int


SIZES = (Size(1, 5.0, blocks=120, steps=300), Size(10, 1.5, blocks=160, steps=60))


@dataclass(frozen=True)
class Block:
    """Some steps one after the other.

    Args:
        whole_seconds: How long a step takes, in processor time of all threads: wall time would have
            other programs in it.
        step_seconds: The part of it on its own thread.
        around_seconds: Of what is done before and after it.
    """

    whole_seconds: float
    step_seconds: float
    around_seconds: float


def measure() -> list[Figure]:
    """Return by how many percent a step of 1 ms and one of 10 ms gets more expensive."""
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    figures = []
    for size in SIZES:
        step = _step_of(size.step_ms)
        pairs = _pairs(step, size)
        within = np.array([watched.step_seconds - plain.step_seconds for plain, watched in pairs])
        # Both have four looks at the clock in them; only what is between those is watching.
        around = np.array([each.around_seconds - plain.around_seconds for plain, each in pairs])
        error = 1.25 * float(np.std(within)) / math.sqrt(len(pairs))
        whole = float(np.median([plain.whole_seconds for plain, _ in pairs]))
        # Patches make no step quicker: a difference below zero is noise, and takes nothing off.
        cost = max(0.0, float(np.median(within))) + float(np.median(around))
        note = (
            f"{1e3 * whole:.2f} ms without; {1e6 * np.median(around):.0f} us around the step, "
            f"{1e6 * np.median(within):.0f} us within (standard error {1e6 * error:.0f} us)"
        )
        name = f"a train step of about {size.step_ms:g} ms"
        figures.append(Figure(GROUP, name, 100 * cost / whole, "%", size.goal_percent, note))
    return figures


def _step_of(wanted_ms: float) -> Callable[[], object]:
    """Return a train step of about that many milliseconds."""
    rows = 1_000
    while True:
        step = _train_step(rows)
        taken_ms = 1e3 * _block(step, 100, watched=False).whole_seconds
        if abs(taken_ms / wanted_ms - 1) < 0.1:
            return step
        rows = max(1, round(rows * wanted_ms / taken_ms))


def _train_step(rows: int) -> Callable[[], object]:
    import keras
    import tensorflow as tf

    keras.utils.set_random_seed(1)
    dense = [keras.layers.Dense(64, activation="relu") for _ in range(2)]
    model = keras.Sequential([keras.Input((32,)), *dense, keras.layers.Dense(1)])
    optimizer = keras.optimizers.SGD(0.01)
    optimizer.build(model.trainable_variables)
    x = tf.random.stateless_normal([rows, 32], [1, 1])
    y = tf.random.stateless_normal([rows, 1], [1, 2])

    @tf.function
    def train(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return loss

    return lambda: train(x, y)


def _pairs(step: Callable[[], object], size: Size) -> list[tuple[Block, Block]]:
    """Return blocks of steps, without watching and with it, that took turns."""
    gc.collect()
    gc.disable()  # one long collection would fall into one block or the other
    try:
        pairs = []
        for turn in range(size.blocks):
            kinds: Sequence[bool] = (True, False) if turn % 2 else (False, True)
            taken = {watched: _block(step, size.steps, watched=watched) for watched in kinds}
            pairs.append((taken[False], taken[True]))
    finally:
        gc.enable()
    return pairs


def _block(step: Callable[[], object], count: int, *, watched: bool) -> Block:
    watching = _watching() if watched else None
    begin, end = (watching.begin, watching.end) if watching else (_nothing, _nothing)
    wait: Callable[[], object] = partial(next, repeat(None))
    if watching:
        wait = timed(wait, watching.timers, watching.waiting)
    whole, own = time.process_time, time.thread_time
    wholes, steps, around = [], [], []
    for index in range(WARM_STEPS + count):
        began = whole()
        before = own()
        begin()
        wait()
        started = own()
        step()
        ended = own()
        end()
        after = own()
        if index < WARM_STEPS:
            continue
        wholes.append(whole() - began)
        steps.append(ended - started)
        around.append(started - before + after - ended)
    if watching:
        watching.close()
    return Block(float(np.median(wholes)), float(np.median(steps)), _mean(around))


def _mean(seconds: Sequence[float]) -> float:
    """Return the mean without the slowest twentieth: an interrupt may cost a hundred times more."""
    return float(np.mean(sorted(seconds)[: max(1, round(0.95 * len(seconds)))]))


def _nothing() -> None:
    """What is done around a step that nobody watches."""


def _watching() -> Watching:
    """Return a watching that takes no expensive look and has no canary."""
    watching = Watching("a train step")
    for each in (*watching.looks, *watching.probes):
        if isinstance(each, Looked | CanaryProbe):
            each.due = math.inf
    return watching
