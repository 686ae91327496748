"""Kept objects: a loop whose memory rises at every step while its steps stay as fast as ever.

What goes wrong: something new is made at every step and never goes away. Tensors stay because the
loop's own list holds them. The rest stays where no Python variable shows it. ``tf.py_function``,
called outside a tf.function, registers a function for good. A variable with a name of its own
leaves TensorFlow kernels that only it could use. A new Keras model with an optimizer that has slots
leaves two functions in TensorFlow's runtime for every slot, although the model itself is gone.

What to expect: a flat curve. Nothing goes through what is kept, so nothing gets slower, until
memory is full and the run ends. ``keras.utils.clear_session`` starts Keras's names anew and drops
the kernels, which looks like a cure. It costs a garbage collection at every step, and the
functions stay where they are, with about half of the memory. The repair is to reuse: one model, one
variable, one function, and no list of tensors.

A replay buffer keeps what was seen, to draw from it. In a list memory rises for ever. In a
``deque`` with a ``maxlen``, and in an array whose oldest rows are written over, it rises until the
buffer is full, and rests from then on: a climb at first is no leak yet.
"""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation, Loop, Size, Toggle
from labkit.record import Column

OUTPUTS = 16
DRAWN = 8  # steps that are drawn from a replay buffer at each step


class ReplayBuffer:
    """What a loop has seen, to draw from: in a list, a ``deque`` with a bound, or an array."""

    def __init__(self, capacity: int, batch: int) -> None:
        import numpy as np

        self._stores: dict[str, Any] = {"replay_list": [], "replay_deque": deque(maxlen=capacity)}
        self._ring = np.zeros([capacity, batch, OUTPUTS], np.float32)
        self._in_ring = 0

    def __len__(self) -> int:
        return sum(map(len, self._stores.values())) + min(self._in_ring, len(self._ring))

    def remember(self, errors: Any, store: str, *, in_array: bool) -> Any:
        """Keep what a step made, and return all that is kept there."""
        if in_array:
            self._ring[self._in_ring % len(self._ring)] = errors  # over the oldest
            self._in_ring += 1
            return self._ring[: self._in_ring]
        self._stores[store].append(errors.numpy())
        return self._stores[store]


def make_step(
    toggles: SimpleNamespace, *, batch: int = 256, capacity: int = 500, seed: int = 0
) -> Loop:
    """Return a training step that makes one thing more.

    Args:
        toggles: ``keep``, ``reuse`` and ``clear_session``, read at every step.
        batch: Examples in a step. A kept tensor has 64 bytes for each.
        capacity: Steps in a full replay buffer.
        seed: Of the examples, and of what is drawn.
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

    def largest(errors: Any) -> Any:
        return np.max(errors)

    one_function = tf.function(lambda errors: tf.py_function(largest, [errors], tf.float32))
    one_variable = tf.Variable(tf.zeros([batch, OUTPUTS]), name="errors")
    one_model: Any = None
    kept_tensors: list[Any] = []
    replay = ReplayBuffer(capacity, batch)
    made = 0

    def step() -> None:
        nonlocal one_model, made
        errors = train()

        if toggles.keep == "tensors":
            if toggles.reuse:
                one_variable.assign(errors)
            else:
                kept_tensors.append(errors)

        elif toggles.keep == "models":
            if toggles.reuse and one_model is None:
                one_model = new_model()
            model = one_model if toggles.reuse else new_model()
            model.fit(examples, wanted, batch_size=batch, verbose=0)

        elif toggles.keep == "variables":
            if toggles.reuse:
                one_variable.assign(errors)
            else:
                tf.Variable(errors, name=f"errors_{made}")

        elif toggles.keep == "py_functions":
            if toggles.reuse:
                one_function(errors)
            else:
                tf.py_function(largest, [errors], tf.float32)

        elif toggles.keep in ("replay_list", "replay_deque"):
            seen = replay.remember(errors, toggles.keep, in_array=toggles.reuse)
            np.mean([seen[each] for each in random.integers(len(seen), size=DRAWN)])

        made += toggles.keep != "none" and not toggles.reuse
        if toggles.clear_session:
            import keras

            keras.utils.clear_session()

    return Loop(step, {"made": lambda: made, "held": lambda: len(kept_tensors) + len(replay)})


def new_model() -> Any:
    import keras

    layers = [keras.Input([OUTPUTS]), keras.layers.Dense(8), keras.layers.Dense(OUTPUTS)]
    model = keras.Sequential(layers)
    model.compile("adam", "mse", jit_compile=False)
    return model


CAUSE = Cause(
    slug="kept_objects",
    title="Kept objects",
    summary="Every step makes something that is never given back; steps stay fast, memory rises.",
    make_step=make_step,
    toggles=(
        Toggle(
            "keep",
            "keep at every step",
            default="tensors",
            choices=(
                "tensors", "models", "variables", "py_functions", "replay_list", "replay_deque",
                "none",
            ),
        ),
        Toggle("reuse", "reuse what is there", role="fix"),
        Toggle("clear_session", "clear_session each step", role="control"),
    ),
    sizes=(
        Size("batch", 256, 8, 4096, "examples in a step; a kept tensor has 64 bytes for each"),
        Size("capacity", 500, 1, 10_000, "steps in a full replay buffer"),
    ),
    expectation=Expectation(
        shape="flat",
        steps=2_000,
        growth=0,
        per_step={"made": 1},
        rises={"memory_bytes": 20e6},
    ),
    notebook="09_memory.ipynb",
    lanes=("resident_bytes", "made", "runtime_functions"),
    counters=(
        Column("made", "things made anew", "things", "counter"),
        Column("held", "steps in the list or buffer", "steps", "counter"),
    ),
    probes=("objects", "keras_functions"),
)  # fmt: skip
