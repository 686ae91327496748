"""What watching costs: the same step with all probes of a diagnosis, and without any.

Two parts, both in processor time, because others on the machine would move the wall clock by more
than what is measured. What is done around each step is timed as it happens. What the hooks cost
within it is the difference between blocks of steps with hooks and without, which take turns in one
process. Not in it are the looks that keep to a share of the time of their own and mark or follow
the steps: the canary (1 %) and the dear looks (about a tenth).
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from labkit.bench.probes import any_loop_probes
from labkit.measure.events import Events
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.measure.probe import Probe
from labkit.measure.recorder import OpenRecorder
from tools.bench.figure import Figure

GROUP = "what watching costs"
BLOCKS = 60
BLOCK_SECONDS = 0.2
# Hooks make Python specialise its bytecode anew; a loop pays for that once, not at every step.
WARM_STEPS = 70
# Milliseconds a step, percent that are good.
SIZES = ((1, 3.0), (10, 0.5))
CANARY = "canary_seconds"


@dataclass(frozen=True)
class Block:
    """Some steps one after the other.

    Args:
        step_seconds: Processor time of a step; the quicker half tells.
        around_seconds: Of what is done before and after it.
    """

    step_seconds: float
    around_seconds: float


def measure() -> list[Figure]:
    """Return by how many percent a step of 1 ms and one of 10 ms gets dearer."""
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    figures = []
    for wanted_ms, goal in SIZES:
        step, plain_ms = _step_of(wanted_ms)
        pairs = _pairs(step, max(10, round(BLOCK_SECONDS / (plain_ms * 1e-3))))
        plain = np.array([without.step_seconds for without, _ in pairs])
        within = np.array([watched.step_seconds for _, watched in pairs]) - plain
        around = float(np.median([watched.around_seconds for _, watched in pairs]))
        error = 1.25 * float(np.std(within)) / math.sqrt(len(pairs))
        whole = float(np.median(plain))
        # Hooks make no step quicker: a difference below zero is noise, and takes nothing off.
        cost = max(0.0, float(np.median(within))) + around
        note = (
            f"{1e3 * whole:.2f} ms without; {1e6 * around:.0f} us around the step, "
            f"{1e6 * np.median(within):.0f} us within (standard error {1e6 * error:.0f} us)"
        )
        name = f"a train step of about {wanted_ms} ms"
        figures.append(Figure(GROUP, name, 100 * cost / whole, "%", goal, note))
    return figures


def _step_of(wanted_ms: float) -> tuple[Callable[[], object], float]:
    """Return a train step of about that many milliseconds, and how many it takes."""
    rows = 1_000
    while True:
        step = _train_step(rows)
        for _ in range(WARM_STEPS):
            step()
        taken_ms = 1e3 * _block(step, 40, watched=False, warm_steps=0).step_seconds
        if abs(taken_ms / wanted_ms - 1) < 0.1:
            return step, taken_ms
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


def _pairs(step: Callable[[], object], count: int) -> list[tuple[Block, Block]]:
    """Return blocks of so many steps, without hooks and with them, that took turns."""
    gc.collect()
    gc.disable()  # one long collection would fall into one block or the other
    try:
        pairs = []
        for turn in range(BLOCKS):
            kinds: Sequence[bool] = (True, False) if turn % 2 else (False, True)
            taken = {watched: _block(step, count, watched=watched) for watched in kinds}
            pairs.append((taken[False], taken[True]))
    finally:
        gc.enable()
    return pairs


def _block(
    step: Callable[[], object], count: int, *, watched: bool, warm_steps: int = WARM_STEPS
) -> Block:
    probes: tuple[Probe, ...] = ()
    if watched:
        import tensorflow as tf

        hooks = Hooks(tf, Places(time.perf_counter), Events(), "cpu")
        probes = (*any_loop_probes(hooks), hooks.places)
    recorder = OpenRecorder(time.perf_counter, probes)
    canary = [column.name for column in recorder.columns].index(CANARY) if watched else 0
    clock = time.process_time
    steps, around = [], []
    for index in range(warm_steps + count):
        before = clock()
        recorder.begin()
        began = clock()
        step()
        ended = clock()
        recorder.end()
        after = clock()
        if index < warm_steps:
            continue
        steps.append(ended - began)
        if not watched or math.isnan(recorder.rows[canary - len(recorder.columns)]):
            around.append(began - before + after - ended)
    for probe in reversed(probes):
        probe.close()
    # An interrupt costs a few steps a hundred times as much.
    kept = sorted(around)[: max(1, round(0.95 * len(around)))]
    return Block(float(np.quantile(steps, 0.25)), float(np.mean(kept)))
