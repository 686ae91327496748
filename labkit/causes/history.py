"""History: a loop that keeps every loss and goes through all of them again at every step.

What goes wrong: the list of what was measured so far is longer at every step, and the loop averages
all of it, stacks it, copies it to make room for the new part, or looks up old entries in a deque.
The training step costs the same each time. Python's own bookkeeping does not: step n touches n
steps' worth of numbers, so the time of a step grows with its number.

What to expect: the step time rises in a straight line, on the place of the bookkeeping. The number
of ops that TensorFlow runs in a step is the same. Copying megabytes makes the training step itself
a little more expensive as well, because its numbers have left the processor's cache. ``tf.stack``
of a longer list is another op at every step, one with so many inputs; TensorFlow builds a function
for it (``__wrapped__Pack_N_150``) and keeps it, so the step takes longer and memory fills, too. A
list that is only appended to grows as fast and costs nothing, because ``append`` does not touch
what is there. The repair is to keep what the answer needs and no more: a sum and a count, or the
newest entries in an array of fixed length.
"""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation, Loop, Mechanism, Size, Toggle
from labkit.record import Column

OUTPUTS = 64
LOOKED_UP = 4  # old entries for each new one
NEWEST = 4096


def mean_of_all(history: list[float]) -> Any:
    import numpy as np

    return np.mean(history)


def mean_of_stack(tensors: list[Any]) -> Any:
    import tensorflow as tf

    return tf.reduce_mean(tf.stack(tensors))


def concat(kept: SimpleNamespace, errors: Any) -> None:
    import tensorflow as tf

    kept.tensor = tf.concat([kept.tensor, errors], axis=0)


def append(kept: SimpleNamespace, errors: Any) -> None:
    import numpy as np

    kept.array = np.append(kept.array, errors, axis=0)


def look_up(replay: deque[float], places: list[int]) -> list[float]:
    return [replay[place] for place in places]


def make_step(toggles: SimpleNamespace, *, batch: int = 256, seed: int = 0) -> Loop:
    """Return a training step that reports the mean loss of all examples so far.

    Args:
        toggles: ``how``, ``newest`` and ``fix``, read at every step.
        batch: Examples in a step; the history grows by as many.
        seed: Of the examples.
    """
    import numpy as np
    import tensorflow as tf

    random = np.random.default_rng(seed)
    examples = tf.constant(random.normal(size=(batch, OUTPUTS)), tf.float32)
    wanted = tf.constant(random.normal(size=(batch, OUTPUTS)), tf.float32)
    weights = tf.Variable(tf.zeros([OUTPUTS, OUTPUTS]))

    @tf.function
    def train() -> Any:
        with tf.GradientTape() as tape:
            errors = tf.square(examples @ weights - wanted)
            loss = tf.reduce_mean(errors)
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return errors

    errors_of_none = tf.zeros([0, OUTPUTS])
    history: list[float] = []
    tensors: list[Any] = []
    replay: deque[float] = deque()
    kept = SimpleNamespace(tensor=errors_of_none, array=errors_of_none.numpy())
    ring, total, count = np.zeros([NEWEST]), 0.0, 0

    def keep_newest(most: int) -> None:
        del history[:-most]
        del tensors[: -max(1, most // batch)]
        while len(replay) > most:
            replay.popleft()
        if len(kept.array) > most:
            kept.array = kept.array[-most:]
        if len(kept.tensor) > most:
            kept.tensor = kept.tensor[-most:]

    def step() -> object:
        nonlocal total, count
        if toggles.newest != "all":
            keep_newest(int(toggles.newest))
        errors = train()
        losses = errors.numpy().mean(axis=1)

        if toggles.fix == "running_mean":
            total, count = total + float(losses.sum()), count + batch
            return total / count
        if toggles.fix == "ring_buffer":
            ring[np.arange(count, count + batch) % NEWEST] = losses
            count += batch
            return ring[:count].mean()

        if toggles.how == "stack":
            tensors.append(tf.constant(losses))
            return mean_of_stack(tensors)
        if toggles.how == "concat":
            concat(kept, errors)
            return losses.mean()
        if toggles.how == "append":
            append(kept, errors.numpy())
            return losses.mean()
        if toggles.how == "deque_index":
            replay.extend(losses.tolist())
            places = random.integers(len(replay), size=LOOKED_UP * batch)
            return np.mean(look_up(replay, places.tolist()))
        history.extend(losses.tolist())
        return mean_of_all(history) if toggles.how == "mean_of_all" else losses.mean()

    def rows() -> int:
        lists = len(history) + batch * len(tensors) + len(replay)
        return lists + int(kept.tensor.shape[0]) + len(kept.array)

    return Loop(step, {"kept_rows": rows})


CAUSE = Cause(
    slug="history",
    title="History",
    summary="Every step goes through all that was noted so far.",
    make_step=make_step,
    toggles=(
        Toggle(
            "how",
            "how the history is used",
            default="mean_of_all",
            choices=("mean_of_all", "stack", "concat", "append", "deque_index", "appended"),
        ),
        Toggle(
            "newest",
            "newest examples kept",
            default="all",
            choices=("1000", "10000", "100000", "all"),
            ordered=True,
        ),
        Toggle(
            "fix",
            "fix: keep instead",
            default="none",
            choices=("none", "ring_buffer", "running_mean"),
            role="fix",
        ),
    ),
    sizes=(Size("batch", 256, 8, 4096, "examples in a step, and rows added to the history"),),
    expectation=Expectation(
        shape="ramp",
        steps=800,
        growth=0.8,
        per_step={"kept_rows": 256},
        places=(
            "averaging the history",
            "stacking the history",
            "joining tensors",
            "copying the array",
            "looking up old entries",
        ),
    ),
    notebook="09_memory.ipynb",
    lanes=("kept_rows", "resident_bytes"),
    counters=(Column("kept_rows", "examples in the history", "examples", "counter"),),
    probes=("eager", "objects"),
    functions={
        "mean_of_all": "averaging the history",
        "mean_of_stack": "stacking the history",
        "concat": "joining tensors",
        "append": "copying the array",
        "look_up": "looking up old entries",
    },
    mechanism=Mechanism(
        "kept_rows",
        "Each step goes through everything noted so far.",
        (
            "mean_of_all_seconds",
            "mean_of_stack_seconds",
            "concat_seconds",
            "append_seconds",
            "look_up_seconds",
        ),
    ),
)
