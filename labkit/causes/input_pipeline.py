"""The input pipeline: steps wait for their batches, and one way to ask gets ever more expensive.

What goes wrong: a dataset has no page numbers. ``dataset.skip(n)`` makes the first n records and
throws them away. A loop that comes back for batch 150 by skipping to it makes everything before it
once more, at every step, so the waiting grows with the position. The training itself stays the
same: only the time apart from it, spent waiting for data, rises.

What to expect: with ``source`` at ``skip`` the records made in a step rise by one batch a step, and
the step time with them, until the next epoch begins. One iterator, kept for the whole loop, makes
one batch a step and stays low. To build the dataset anew (``rebuilt``), to read the whole file
again (``reread``), or to go through Python for each record (``generator``) is expensive, and flat.

Prefetching makes the next batch while this one is trained on. It saves at most the smaller of the
two times. A producer that ``waits``, as for a disk or a network, can be hidden where a core is free
to ask for the next batch. One that ``computes`` takes as much processor time as before: with
``cores`` at ``one``, where none is spare, nothing is won.
"""

from __future__ import annotations

import contextlib
import math
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation, Loop, Mechanism, Size, Toggle
from labkit.cause.far_end import far_away
from labkit.record import Column, LabkitError

BATCH = 50
FEATURES = 64
STRIDES = ("1", "2", "5", "10")


def keep_to_one_core() -> None:
    """Take all cores but one from this process: from its threads, and from all that they start.

    On a graphics card CUDA has threads of its own before a loop is made. Held back was this thread
    alone, and on an NVIDIA H200 the process used more than one core.
    """
    if not hasattr(os, "sched_setaffinity"):
        raise LabkitError("cores = one needs Linux, which can hold a process to one core; use all.")
    one = {min(os.sched_getaffinity(0))}
    for thread in (0, *map(int, os.listdir("/proc/self/task"))):
        with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
            os.sched_setaffinity(thread, one)


def usable_cores() -> float:
    """Return how many cores this thread may use; NaN where the system does not say."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else math.nan


def two_layers(width: int, seed: int) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Return a function that runs two layers forward, and one that trains them on a batch."""
    import tensorflow as tf

    shapes = ([FEATURES, width], [width, FEATURES])
    inner, outer = (tf.Variable(tf.random.stateless_normal(s, [seed, 0]) / s[0]) for s in shapes)

    def forward(batch: Any) -> Any:
        return tf.tanh(batch @ inner) @ outer

    @tf.function
    def train(batch: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(forward(batch) - batch))
        for each, gradient in zip((inner, outer), tape.gradient(loss, (inner, outer)), strict=True):
            each.assign_sub(1e-3 * gradient)
        return loss

    return forward, train


def rows_of(source: str, table: Any, path: Path, position: int) -> Any:
    """Return a dataset of rows, from the table or from the file it is also in."""
    import numpy as np
    import tensorflow as tf

    if source == "generator":
        row = tf.TensorSpec([FEATURES], tf.float32)
        return tf.data.Dataset.from_generator(lambda: iter(table), output_signature=row)
    if source == "reread":
        table = np.load(path)[position : position + BATCH]
    return tf.data.Dataset.from_tensor_slices(table)


def batches_of(
    records: Any, toggles: SimpleNamespace, produce: Any, *, buffer: int, ahead: int
) -> Any:
    """Return a dataset of batches, for ever.

    Args:
        records: Of an epoch.
        toggles: What is put into the chain.
        produce: What makes a batch of a batch of records, if anything.
        buffer: How many records the shuffle buffer holds.
        ahead: How many batches are made ahead of the loop.
    """
    import tensorflow as tf

    if toggles.shuffle:
        records = records.shuffle(buffer, seed=0)
    data = records.batch(BATCH)
    if produce is not None:
        data = data.map(produce, num_parallel_calls=2 if toggles.parallel_map else None)
    if toggles.cache:
        data = data.cache()
    data = data.repeat()
    if toggles.prefetch:
        data = data.prefetch(ahead)
    options = tf.data.Options()  # left to itself, tf.data works ahead of the loop unasked
    options.autotune.enabled = toggles.tuning
    options.experimental_optimization.apply_default_optimizations = toggles.tuning
    return data.with_options(options)


def make_step(
    toggles: SimpleNamespace,
    *,
    width: int = 8192,
    batches: int = 200,
    wait: int = 10,
    passes: int = 5,
    buffer: int = 0,
    ahead: int = 1,
    seed: int = 0,
) -> Loop:
    """Return a step that takes one batch of records and trains on it.

    Args:
        toggles: Live but for ``cores``; the pipeline is built anew when one of them was flipped.
        width: Of the hidden layer: how much one training step computes.
        batches: How many batches of 50 records an epoch has.
        wait: How many milliseconds the far-away store takes for a batch.
        passes: How many times the computing producer runs a batch through two layers.
        buffer: How many records the shuffle buffer holds; 0 for all of an epoch.
        ahead: How many batches prefetch makes ahead.
        seed: Of the records and the weights.
    """
    import numpy as np
    import tensorflow as tf

    if toggles.cores == "one":
        keep_to_one_core()
    table = np.random.default_rng(seed).normal(size=(batches * BATCH, FEATURES)).astype("float32")
    path = Path(tempfile.mkdtemp()) / "records.npy"
    np.save(path, table)
    ask = far_away(wait / 1000)
    _, train = two_layers(width, seed)
    with tf.device("CPU:0"):  # where datasets live
        records_made = tf.Variable(0, dtype=tf.int64)
        forward, _ = two_layers(width, seed + 1)

    def make_record(row: Any) -> Any:
        records_made.assign_add(1)
        return row * 2.0 - 1.0

    def fetch(batch: Any) -> Any:
        return batch - tf.ensure_shape(tf.numpy_function(ask, [batch[0, 0]], tf.float32), [])

    def compute(batch: Any) -> Any:
        for _ in tf.range(passes):
            batch = forward(batch)
        return batch

    producers = {"quick": None, "waits": fetch, "computes": compute}

    def pipeline(position: int) -> Any:
        records = rows_of(toggles.source, table, path, position).map(make_record)
        if toggles.source == "skip":
            records = records.skip(position)
        produce, held = producers[toggles.producer], buffer or len(table)
        return batches_of(records, toggles, produce, buffer=held, ahead=ahead)

    steps, built_for, feed, counted = 0, None, iter(()), 0

    def step() -> object:
        nonlocal steps, built_for, feed
        keeps = toggles.source in ("iterator", "generator")
        if not keeps or built_for != vars(toggles):
            built_for = dict(vars(toggles))
            feed = iter(pipeline(steps * int(toggles.stride) % batches * BATCH))
        steps += 1
        return train(next(feed))

    def made_since_last_step() -> int:
        nonlocal counted
        before, counted = counted, int(records_made.numpy())
        return counted - before

    return Loop(step, {"records_made": made_since_last_step, "usable_cores": usable_cores})


CAUSE = Cause(
    slug="input_pipeline",
    title="The input pipeline",
    summary="Each step skips to its batch, and makes all the records before it once more.",
    make_step=make_step,
    toggles=(
        Toggle(
            "source",
            "source of the batch",
            default="skip",
            choices=("iterator", "rebuilt", "skip", "generator", "reread"),
        ),
        Toggle("stride", "stride: one batch in", default="1", choices=STRIDES, ordered=True),
        Toggle("producer", "producer", default="quick", choices=("quick", "waits", "computes")),
        Toggle("prefetch", "prefetch", role="fix"),
        Toggle("parallel_map", "parallel map", role="fix"),
        Toggle("cache", "cache", role="fix"),
        Toggle("shuffle", "shuffle", role="control"),
        Toggle("tuning", "tf.data's tuning", role="control"),
        Toggle(
            "cores", "cores", default="all", choices=("all", "one"), kind="launch", role="control"
        ),
    ),
    sizes=(
        Size("width", 8192, 16, 65_536, "width of the hidden layer", small=4096),
        Size("batches", 200, 10, 10_000, "batches of 50 records in an epoch"),
        Size("wait", 10, 1, 1_000, "milliseconds the far-away store takes for a batch"),
        Size("passes", 5, 1, 1_000, "passes of the computing producer over a batch"),
        Size("buffer", 0, 0, 500_000, "records in the shuffle buffer; 0 for all of an epoch"),
        Size("ahead", 1, 1, 10_000, "batches that prefetch makes ahead"),
    ),
    expectation=Expectation(
        shape="ramp",
        steps=150,
        growth=1.0,
        per_step={"records_made": BATCH},
        places=("waiting for data",),
    ),
    notebook="08_input.ipynb",
    lanes=("records_made", "data_waiting_seconds"),
    counters=(
        Column("records_made", "records made in the step", "records", "counter"),
        Column("usable_cores", "cores that the loop may use", "cores", "counter"),
    ),
    probes=("input_pipeline",),
    mechanism=Mechanism(
        "records_made",
        "Records before the batch are made once more.",
        ("data_waiting_seconds",),
        done="made",
    ),
)
