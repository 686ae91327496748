"""What watching costs: the same step with all probes of a diagnosis, and without any.

Blocks of both take turns in one process, in processor time, because others on the machine would
move the wall clock by more than what is measured. The dear looks are not in it: the steps they
touch are marked and left out.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from statistics import median

from labkit.bench.probes import any_loop_probes
from labkit.measure.events import Events
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.measure.probe import Probe
from labkit.measure.recorder import OpenRecorder
from tools.bench.figure import Figure

GROUP = "what watching costs"
BLOCKS = 40
BLOCK_SECONDS = 0.15
# Hooks make Python specialise its bytecode anew; a loop pays for that once, not at every step.
WARM_STEPS = 70
# Milliseconds a step, percent that are good, rows of the batch.
SIZES = ((1, 3.0, 900), (10, 0.5, 12_000))


def measure() -> list[Figure]:
    """Return by how many percent a step of 1 ms and one of 10 ms gets dearer."""
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    figures = []
    for wanted_ms, goal, rows in SIZES:
        step = _train_step(rows)
        ratios, plain = _compared(step)
        ratios.sort()
        low, high = ratios[len(ratios) // 4], ratios[3 * len(ratios) // 4]
        note = (
            f"{1e3 * plain:.2f} ms without; half of {len(ratios)} pairs {low:+.1f} to {high:+.1f} %"
        )
        name = f"a train step of about {wanted_ms} ms"
        figures.append(Figure(GROUP, name, median(ratios), "%", goal, note))
    return figures


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


def _compared(step: Callable[[], object]) -> tuple[list[float], float]:
    """Return how many percent dearer each watched block is than its neighbour, and a plain step."""
    for _ in range(WARM_STEPS):
        step()
    began = time.perf_counter()
    step()
    count = max(10, round(BLOCK_SECONDS / (time.perf_counter() - began)))
    gc.collect()
    gc.disable()  # one long collection would fall into one block or the other
    try:
        ratios, plain = [], []
        for turn in range(BLOCKS):
            kinds: Sequence[bool] = (True, False) if turn % 2 else (False, True)
            taken = {watched: _block(step, count, watched) for watched in kinds}
            ratios.append(100 * (taken[True] / taken[False] - 1))
            plain.append(taken[False])
    finally:
        gc.enable()
    return ratios, median(plain)


def _block(step: Callable[[], object], count: int, watched: bool) -> float:
    """Return the processor seconds of a step, all that is done around it included."""
    probes: tuple[Probe, ...] = ()
    if watched:
        import tensorflow as tf

        hooks = Hooks(tf, Places(time.perf_counter), Events(), "cpu")
        probes = (*any_loop_probes(hooks), hooks.places)
    recorder = OpenRecorder(time.perf_counter, probes)

    def turn() -> None:
        recorder.begin()
        step()
        recorder.end()

    one = turn if watched else step
    for _ in range(WARM_STEPS):
        one()
    taken = []
    for _ in range(count):
        began = time.process_time()
        one()
        taken.append(time.process_time() - began)
    for probe in reversed(probes):
        probe.close()
    return sorted(taken)[len(taken) // 5]
