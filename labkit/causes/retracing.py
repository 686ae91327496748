"""Retracing: a tf.function that is traced again and again, because its arguments look new.

What goes wrong: ``tf.function`` runs Python once to record a graph, a *trace*, and uses that trace
for every later call with arguments of the same type. For a tensor the type is its dtype and shape;
the value does not matter. For a Python number the type is the number itself, and for most other
Python objects that very object, or one that is alive and equal to it. So a new number, a new object
or a new shape is a new trace, and every trace is kept. The smaller batch at an epoch's end
(``last_partial``) makes one more and no further one; ``drop_remainder=True`` spares it.

What to expect: two different things. A trace at every step is *expensive*: a Python number costs
some twenty times as much as a tensor, but hardly more at the end than at the start. A bound method
is *slowing* as well. Python makes a new method object each time ``schedule.now`` is read, so
TensorFlow never finds the old ones again; but their hashes are all the same, so every search meets
all of them, and takes the square of their number. Pass a tensor, and both are gone.

With XLA (``jit_compile=True``) there is a third search: one trace may serve every shape, and XLA
still compiles it anew for each. Keras asks for XLA by itself where it sees a graphics card.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation, Explanation, Mechanism, Size, Toggle

# An epoch has so many batches of so many rows, and its last may have fewer.
BATCHES, ROWS, LAST_ROWS = 10, 512, 300
EVERY = ("1", "2", "5", "10", "100")


class Schedule:
    """Holds the rate of a training loop."""

    def __init__(self, rate: float) -> None:
        self.rate = rate

    def now(self) -> float:
        return self.rate

    __call__ = now


def make_step(toggles: SimpleNamespace, *, size: int = 32, seed: int = 0) -> Callable[[], object]:
    """Return a step that measures the loss of one batch, times a rate.

    Args:
        toggles: ``argument`` and how often it is a new one, ``every``; ``shapes``, ``loop``,
            ``new_function`` and ``xla``; all read at every step.
        size: The weights are ``size`` x ``size`` numbers.
        seed: Of the batch, the weights and the order of the shapes.
    """
    import numpy as np
    import tensorflow as tf

    random = np.random.default_rng(seed)
    data = random.normal(size=(1024, size)).astype("float32")
    lengths = random.permutation(1024) + 1  # each shape comes once before one comes again
    # An orthogonal matrix keeps the numbers the same size however many turns there are.
    weights = tf.Variable(np.linalg.qr(random.normal(size=(size, size)))[0].astype("float32"))
    schedule = Schedule(0.1)
    number, given, given_for = 0, None, ""

    def train(batch: Any, rate: Any, turns: Any) -> Any:
        for _ in tf.range(turns) if tf.is_tensor(turns) else range(turns):
            batch = tf.matmul(batch, weights)
        value = rate() if callable(rate) else rate
        return tf.reduce_mean(tf.square(batch)) * tf.cast(value, tf.float32)

    def the_rate() -> Any:
        match toggles.argument:
            case "tensor":
                return tf.constant(number)
            case "int":
                return number
            case "object":
                return Schedule(number)
            case "same_object":
                return schedule
            case "bound_method":
                return schedule.now

    def the_turns() -> Any:
        match toggles.loop:
            case "none":
                return 1
            case "unrolled":
                return number
            case "tensor_fixed":
                return tf.constant(20)
            case "tensor_growing":
                return tf.constant(number)

    options = _function_options(size)
    functions = {
        (shapes, xla): tf.function(train, jit_compile=xla, **each)
        for shapes, each in options.items()
        for xla in (False, True)
    }

    def step() -> object:
        nonlocal number, given, given_for
        number += 1
        if given_for != toggles.argument or number % int(toggles.every) == 0:
            given, given_for = the_rate(), toggles.argument
        rows = lengths[number % len(lengths)]
        if toggles.shapes in ("fixed", "last_partial"):
            last = toggles.shapes == "last_partial" and number % BATCHES == 0
            rows = LAST_ROWS if last else ROWS
        function = functions[toggles.shapes, toggles.xla]
        if toggles.new_function:
            function = tf.function(train, jit_compile=toggles.xla, **options[toggles.shapes])
        return function(tf.constant(data[:rows]), given, the_turns())

    return step


def _function_options(size: int) -> dict[str, dict[str, Any]]:
    """Return what `tf.function` is given, by what the toggle of the shapes says."""
    import tensorflow as tf

    whole = tf.TensorSpec([], tf.int32)
    return {
        "fixed": {},
        "last_partial": {},
        "varying": {},
        "reduce_retracing": {"reduce_retracing": True},
        "input_signature": {"input_signature": [tf.TensorSpec([None, size]), whole, whole]},
    }


CAUSE = Cause(
    slug="retracing",
    title="Retracing",
    summary="Arguments that look new make tf.function trace again, and search longer each time.",
    make_step=make_step,
    toggles=(
        Toggle(
            "argument", "argument: the rate as", default="bound_method",
            choices=("tensor", "int", "object", "same_object", "bound_method"),
        ),
        Toggle("every", "new every ... steps", default="1", choices=EVERY, ordered=True),
        Toggle(
            "shapes", "shapes of the batches", default="fixed",
            choices=("fixed", "last_partial", "varying", "reduce_retracing", "input_signature"),
        ),
        Toggle(
            "loop", "a loop inside", default="none",
            choices=("none", "unrolled", "tensor_fixed", "tensor_growing"),
        ),
        Toggle("new_function", "make the tf.function anew"),
        Toggle("xla", "compile with XLA"),
    ),
    sizes=(Size("size", 32, 2, 512, "rows and columns of the weights"),),
    expectation=Expectation(
        shape="ramp",
        steps=150,
        growth=0.8,
        per_step={"traces": 1},
        places=("function dispatch", "graph building", "function run", "tracing"),
    ),
    notebook="02_retracing.ipynb",
    lanes=("traces", "comparisons", "compilations"),
    probes=("tracing", "compiling"),
    mechanism=Mechanism(
        "traces", "The key is compared with every trace.", ("comparisons",), done="compared"
    ),
    explanations=(
        Explanation(
            "TypeError",
            "Binding inputs to tf.function failed",
            "With an input_signature a tf.function takes tensors only, and what can be made one: "
            "a Python number passes, an object or a method does not.",
        ),
    ),
)  # fmt: skip
