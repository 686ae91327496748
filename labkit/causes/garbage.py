"""Garbage: what Python's garbage collector costs a training loop, and what it leaves lying about.

What goes wrong: Python frees most objects the moment nobody refers to them. Only objects that refer
to each other in a circle need the garbage collector, and a full collection looks at every object
that could be part of one. With TensorFlow imported these are several hundred thousand. So
``gc.collect()`` inside the loop costs many times the step itself, and frees next to nothing. A
history of small objects makes the collector start by itself, with more to look at each time. The
other side of the coin: a tensor that is part of a circle stays in memory until a collection comes,
and the collector counts objects, not megabytes.

What to expect: a comb. The median of the step times does not move, the mean is many times as large:
each tooth is one full collection. ``gc.freeze()`` tells the collector to leave all objects that
exist now alone, and the teeth are nearly gone. Circles that hold tensors fill the memory while
steps stay as they are, until a collection gives all of it back. In a small pool TensorFlow waits
for memory before it gives up: a stall of up to ten seconds, then an error.

The size of the trouble is stated: each step adds one circle of one tensor, and the limit on the
run's memory ends the run before the machine is in danger.
"""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import (
    FULL_COLLECTION,
    Cause,
    Expectation,
    Explanation,
    Loop,
    Mechanism,
    Size,
    Toggle,
)
from labkit.record import Column

# TensorFlow's pool allocator, with a limit that a few seconds of circles can fill.
POOL = {"on": {"TF_CPU_ALLOCATOR_USE_BFC": "1", "TF_CPU_BFC_MEM_LIMIT_IN_MB": "96",
               "TF_PER_DEVICE_MEMORY_LIMIT_MB": "96"}}  # fmt: skip


class Node:
    """A circle of one: it refers to itself."""

    itself: Node
    tensor: object


def make_step(
    toggles: SimpleNamespace,
    *,
    width: int = 64,
    dicts: int = 2000,
    tensor_kb: int = 1024,
    seed: int = 0,
) -> Loop:
    """Return a loop that trains a small model and keeps the collector busy.

    Args:
        toggles: ``collect_every``, ``keep_history``, ``drop_history``, ``cycles``, ``freeze``,
            ``disable`` and ``rescuer``, read at every step.
        width: The model's weights are ``width`` x ``width`` numbers.
        dicts: How many small dicts the history gains each step.
        tensor_kb: Kilobytes of the tensor in each circle.
        seed: Of the data and the weights.
    """
    import tensorflow as tf

    train = training(width, seed)
    history: list[object] = []
    circles: weakref.WeakSet[Node] = weakref.WeakSet()  # only counts them, keeps none alive
    rescuer: threading.Thread | None = None
    steps, made, frozen, objects = 0, 0, False, len(gc.get_objects())

    def step() -> object:
        nonlocal steps, made, frozen, objects, rescuer
        loss = train()
        steps += 1

        if toggles.keep_history:
            history.extend({"step": steps, "losses": [loss]} for _ in range(dicts))
            made += dicts

        if toggles.drop_history:
            for _ in range(dicts):
                {"step": steps, "losses": [loss]}  # noqa: B018
                made += 1

        if toggles.cycles:
            node = Node()
            node.itself = node  # a circle: nothing but a collection frees it, and its tensor
            node.tensor = tf.zeros([tensor_kb * 256])
            circles.add(node)

        if toggles.freeze != frozen:
            frozen = toggles.freeze
            gc.freeze() if frozen else gc.unfreeze()
            objects = len(gc.get_objects())

        gc.disable() if toggles.disable else gc.enable()

        if toggles.rescuer and not (rescuer and rescuer.is_alive()):
            rescuer = threading.Thread(target=rescue, args=(toggles,), daemon=True)
            rescuer.start()

        if toggles.collect_every != "never" and steps % int(toggles.collect_every) == 0:
            gc.collect()

        return loss

    return Loop(
        step,
        {
            "circles": lambda: len(circles),
            "history_dicts": lambda: len(history),
            "made_dicts": lambda: made,
            "walked_objects": lambda: objects,
        },
    )


def training(width: int, seed: int) -> Callable[[], object]:
    """Return one step of training for a small model."""
    import numpy as np
    import tensorflow as tf

    random = np.random.default_rng(seed)
    data = tf.constant(random.normal(size=(width, width)), tf.float32)
    weights = tf.Variable(random.normal(size=(width, width)) / width, dtype=tf.float32)

    @tf.function
    def train() -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(data, weights) - data))
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    step: Callable[[], object] = train
    return step


def rescue(toggles: SimpleNamespace) -> None:
    """Collect every two seconds, on a thread of its own, while the toggle is on."""
    while toggles.rescuer:
        time.sleep(2.0)
        gc.collect()


CAUSE = Cause(
    slug="garbage",
    title="Garbage collection",
    summary="A full collection looks at every object there is, and the loop keeps asking for one.",
    make_step=make_step,
    toggles=(
        Toggle(
            "collect_every",
            "gc.collect() every ... steps",
            default="10",
            choices=("1", "3", "10", "30", "100", "never"),
            ordered=True,
        ),
        Toggle("keep_history", "keep small dicts"),
        Toggle("cycles", "a tensor in a cycle"),
        Toggle("disable", "gc.disable()"),
        Toggle("pool", "a pool of 96 MB", kind="launch", environment=POOL),
        Toggle("freeze", "gc.freeze()", role="fix"),
        Toggle("rescuer", "a rescuer that collects", role="fix"),
        Toggle("drop_history", "drop the dicts at once", role="control"),
    ),
    sizes=(
        Size("width", 64, 2, 1024, "rows and columns of the weights"),
        Size("dicts", 2000, 1, 20_000, "small dicts per step", small=1000),
        Size("tensor_kb", 1024, 1, 16_384, "kilobytes of the tensor in a circle"),
    ),
    expectation=Expectation(shape="comb", steps=200, growth=0.0, rises={"gc_collections": 19}),
    notebook="05_garbage.ipynb",
    lanes=("gc_collections", "walked_objects", "circles"),
    counters=(
        Column("circles", "circles not yet collected", "circles", "counter"),
        Column("history_dicts", "dicts in the history", "dicts", "counter"),
        Column("made_dicts", "dicts made", "dicts", "counter"),
        Column("walked_objects", "objects the collector looks at", "objects", "counter"),
    ),
    mechanism=Mechanism(
        "walked_objects",
        "A full collection looks at every object.",
        (FULL_COLLECTION,),
        done="looked at",
    ),
    explanations=(
        Explanation(
            "ResourceExhaustedError",
            "",
            "The pool was full of tensors in circles that no collection had freed yet; TensorFlow "
            "waited ten seconds for memory and gave up. Switch cycles off or collect more often; "
            "with the thread that collects, the step only stalls.",
        ),
    ),
)
