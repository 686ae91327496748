"""The popular remedies: what each is worth on a loop it can help, and on one it cannot.

What goes wrong: nothing grows in most of these loops. A loop feels slow, and the same five remedies
are recommended for every loop: grappler's options, tensors changed in place, ``jit_compile``,
``tf.function``, and 16-bit numbers. Each removes one kind of work, and helps a loop that has it.

What to expect: each remedy lowers the level of some loops and leaves others where they were; a few
raise it. Grappler is on before anybody touches it, so setting the options to True that simplify a
graph changes nothing.
The growing loop keeps growing whatever grappler does.

Two loops are Keras's, and have a remedy each. ``predict`` is made for a whole data set, and sets up
all that one needs at each call: a loop that asks for a few rows calls the model itself. ``fit``
returns to Python after each batch, or after as many as ``steps_per_execution`` says.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation, Loop, Size, Toggle
from labkit.record import Column

# The options of tf.config.optimizer.set_experimental_options that simplify a graph. All are on by
# default but the last, which changes nothing in the graphs here.
OPTIONS = (
    "layout_optimizer",
    "constant_folding",
    "shape_optimization",
    "remapping",
    "arithmetic_optimization",
    "dependency_optimization",
    "loop_optimization",
    "function_optimization",
    "implementation_selector",
    "scoped_allocator_optimization",
)
# Those that are off by default and can be tried on any machine.
EXTRAS = ("auto_mixed_precision_onednn_bfloat16", "debug_stripper", "pin_to_host_optimization")
GRAPPLER = (
    "default", "all_on", "all_off", "misspelt",
    *(f"no_{name}" for name in OPTIONS), *(f"with_{name}" for name in EXTRAS),
)  # fmt: skip


def grappler_options(choice: str) -> dict[str, bool]:
    """Return what `choice` means, in the words of ``set_experimental_options``.

    Args:
        choice: ``"default"``, ``"all_on"``, ``"all_off"``, ``"misspelt"``, or an option's name
            after ``"no_"`` (it alone is off) or ``"with_"`` (it is on as well).
    """
    # A setting stays until it is set again, so each one is named every time.
    options = dict.fromkeys(OPTIONS, True) | dict.fromkeys(EXTRAS, False)
    options["disable_meta_optimizer"] = choice == "all_off"
    if choice == "misspelt":
        options["arithmetic_optimisation"] = False
    elif choice.startswith("no_"):
        options[choice.removeprefix("no_")] = False
    elif choice.startswith("with_"):
        options[choice.removeprefix("with_")] = True
    return options


def keras_model(weights: Any, batches: str) -> Any:
    """Return a compiled model of one layer.

    Args:
        weights: Of the layer.
        batches: How many ``fit`` takes before it returns to Python.
    """
    import tensorflow as tf

    layer = tf.keras.layers.Dense(weights.shape[1], use_bias=False)
    model = tf.keras.Sequential([tf.keras.Input(weights.shape[:1]), layer])
    layer.set_weights([weights])
    model.compile("sgd", "mse", steps_per_execution=int(batches), jit_compile=False)
    return model


class GrowingGraph:
    """A graph of TensorFlow 1 that gets a loss more each time it is run."""

    def __init__(self) -> None:
        import numpy as np
        import tensorflow as tf

        self._graph = tf.Graph()
        self._session: Any = None
        with self._graph.as_default():
            self._data = tf.compat.v1.placeholder(tf.float32, [64, 64])
        self._batch = np.ones((64, 64), "float32")

    def run(self) -> object:
        import tensorflow as tf

        with self._graph.as_default():
            loss = tf.reduce_mean(tf.square(tf.matmul(self._data, self._data)))
        self._session = self._session or tf.compat.v1.Session(graph=self._graph)
        return self._session.run(loss, {self._data: self._batch})

    def begin_anew(self) -> None:
        """Have the next run make a session: one keeps the options that it was made with."""
        self._session = None


def make_step(
    toggles: SimpleNamespace, *, size: int = 512, large: int = 4_000_000, seed: int = 0
) -> Loop:
    """Return a step that does one kind of work, with the remedies that are switched on.

    Args:
        toggles: ``loop`` (which kind of work), ``grappler``, ``in_place``, ``jit_compile``,
            ``tf_function``, ``precision``, ``call_model`` and ``steps_per_execution``, read at
            every step.
        size: The matrices have ``size`` x ``size`` numbers.
        large: Numbers in the large variable.
        seed: Of the matrices.
    """
    import numpy as np
    import tensorflow as tf

    random = np.random.default_rng(seed)
    rotation = np.linalg.qr(random.normal(size=(size, size)))[0]
    matrix, weights = (tf.constant(each, tf.float32) for each in (rotation, rotation.T))
    state, gradient = tf.Variable(tf.zeros([large])), tf.ones([large])
    python_runs = 0

    def work(loop: str, precision: str, in_place: bool) -> Any:
        nonlocal python_runs
        python_runs += 1  # with tf.function: only while it is traced
        x, w = (tf.cast(each, precision) for each in (matrix, weights))
        if loop == "transposes":
            for _ in range(10):
                x = tf.transpose(tf.transpose(x))
        elif loop == "repeated":
            x = tf.add_n([tf.exp(tf.sin(x)) for _ in range(8)])
        elif loop == "elementwise":
            for _ in range(20):
                x = x * 0.9 + 0.1
        elif loop == "matmuls":
            for _ in range(4):
                x = tf.matmul(x, w)
        elif loop == "update" and in_place:
            state.assign_add(gradient)
        elif loop == "update":
            state.assign(state + gradient)
        return tf.reduce_sum(tf.cast(x, tf.float32))

    compiled = tf.function(work)
    jit_compiled = tf.function(work, jit_compile=True)
    growing = GrowingGraph()
    grappler = "default"
    model = cache(lambda batches: keras_model(rotation, batches))  # none where none is asked for

    def predict() -> object:
        rows = matrix[:32]
        if toggles.call_model:
            return tf.reduce_sum(model("1")(rows, training=False))
        return model("1").predict(rows, verbose=0).sum()

    def fit() -> object:
        fitted = model(toggles.steps_per_execution).fit(
            matrix, weights, batch_size=8, shuffle=False, verbose=0
        )
        return fitted.history["loss"][0]

    def step() -> object:
        nonlocal grappler
        if toggles.grappler != grappler:
            grappler = toggles.grappler
            tf.config.optimizer.set_experimental_options(grappler_options(grappler))
            growing.begin_anew()
        if toggles.loop in ("growing", "predict", "fit"):
            return {"growing": growing.run, "predict": predict, "fit": fit}[toggles.loop]()
        run = jit_compiled if toggles.jit_compile else compiled if toggles.tf_function else work
        return run(toggles.loop, toggles.precision, toggles.in_place)

    return Loop(step, {"python_runs": lambda: python_runs})


CAUSE = Cause(
    slug="remedies",
    title="The popular remedies",
    summary="Each remedy removes one kind of work; a loop that has none of it is not helped.",
    make_step=make_step,
    toggles=(
        Toggle("loop", "what the loop does", default="transposes", role="control",
               choices=("transposes", "repeated", "elementwise", "matmuls", "update", "growing",
                        "predict", "fit")),
        Toggle("grappler", "grappler", default="default", role="fix", choices=GRAPPLER),
        Toggle("in_place", "change in place", role="fix"),
        Toggle("jit_compile", "jit_compile", role="fix"),
        Toggle("tf_function", "tf.function", default="on", role="fix"),
        Toggle("precision", "precision", default="float32", role="fix",
               choices=("float32", "bfloat16", "float16")),
        Toggle("call_model", "call the model, no predict", role="fix"),
        Toggle("steps_per_execution", "steps_per_execution", default="1", role="fix",
               choices=("1", "4", "16")),
    ),
    sizes=(
        Size("size", 512, 2, 2048, "rows and columns of the matrices"),
        Size("large", 4_000_000, 1, 50_000_000, "numbers in the large variable"),
    ),
    expectation=Expectation(
        shape="flat",
        steps=100,
        growth=0.0,
        per_step={"python_runs": 0, "graph_ops": 0},
    ),
    notebook="13_remedies.ipynb",
    lanes=("ops_run", "nodes_left", "graph_ops"),
    counters=(Column("python_runs", "times Python ran the body", "times", "counter"),),
    probes=("eager", "rewriting", "compiling", "training"),
)  # fmt: skip
