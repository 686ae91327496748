"""The observer: a training loop that is watched, and slows down because of that.

What goes wrong: a chart that is drawn anew at every step is a program of its own. Code that calls
``plot`` for each update, and never clears, leaves one more line in the chart each time; the next
drawing draws them all. The train step is the same as ever, the curve rises all the same.

What to expect: step time and the number of lines rise together, and the time is spent in ``draw``.
A chart that updates its one line is expensive and flat. Numeric checks, a verbose log, a profiler
left on and summaries cost something at every step, and none of them grows. Printing the loss and
waiting for the device look guilty and cost next to nothing.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation, Explanation, Loop, Size, Toggle
from labkit.record import Column


def draw(axes: Any, errors: Any, how: str) -> None:
    """Bring a chart up to date and draw it into memory, as a notebook does before it shows it."""
    if how == "clears":
        axes.clear()
    if how == "updates" and axes.lines:
        axes.lines[-1].set_ydata(errors)
        axes.relim()
        axes.autoscale_view()
    else:
        axes.plot(errors)  # one more line; those of earlier steps are still there
    axes.figure.canvas.draw()


def make_step(
    toggles: SimpleNamespace, *, batch: int = 256, width: int = 64, seed: int = 0
) -> Loop:
    """Return a step that trains a small network, and charts the error of each example.

    Args:
        toggles: ``chart``, ``check_numerics``, ``summaries``, ``profiler``, ``eager``,
            ``print_loss`` and ``wait``, read at every step.
        batch: Examples in the batch, and points in the chart.
        width: Inputs and hidden units of the network.
        seed: Of the batch and the weights.
    """
    import tempfile

    import numpy as np
    import tensorflow as tf
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    random = np.random.default_rng(seed)
    data, target = (tf.constant(random.normal(size=(batch, n)), tf.float32) for n in (width, 1))
    start = (random.normal(size=(width, n)) / width for n in (width, 1))
    weights = [tf.Variable(each, dtype=tf.float32) for each in start]
    axes = FigureCanvasAgg(Figure(figsize=(4, 3))).figure.subplots()
    folder = tempfile.mkdtemp()
    writer = tf.summary.create_file_writer(folder)
    number = 0
    checking = profiling = False

    @tf.function
    def train() -> Any:
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(tf.matmul(data, weights[0]))
            errors = tf.matmul(hidden, weights[1]) - target
            loss = tf.reduce_mean(tf.square(errors))
        for weight, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(0.01 * gradient)
        return loss, errors

    def step() -> object:
        nonlocal checking, number, profiling

        if toggles.check_numerics != checking:
            checking = toggles.check_numerics
            switch = "enable" if checking else "disable"
            getattr(tf.debugging, f"{switch}_check_numerics")()
        if toggles.profiler != profiling:
            profiling = toggles.profiler
            tf.profiler.experimental.start(folder) if profiling else tf.profiler.experimental.stop()

        loss, errors = train.python_function() if toggles.eager else train()
        number += 1

        if toggles.chart != "off":
            draw(axes, errors.numpy(), toggles.chart)
        if toggles.summaries != "off":
            with writer.as_default(step=number):
                getattr(tf.summary, toggles.summaries)("loss", loss)
        if toggles.print_loss:
            print(f"step {number}: loss {float(loss):.4f}")
        if toggles.wait:
            tf.test.experimental.sync_devices()
        return loss

    return Loop(step, {"lines": lambda: len(axes.lines)})


CAUSE = Cause(
    slug="observer",
    title="The observer",
    summary="The chart that watches the loop draws one more line at every step.",
    make_step=make_step,
    toggles=(
        Toggle("chart", "chart", default="adds_line",
               choices=("off", "adds_line", "updates", "clears")),
        Toggle("check_numerics", "check all numbers"),
        Toggle("summaries", "summaries", choices=("off", "scalar", "write")),
        Toggle("profiler", "profiler left on"),
        Toggle("verbose_log", "verbose log", kind="launch", read="import",
               # Without the second variable the lines are made and then thrown away.
               environment={"on": {"TF_CPP_MAX_VLOG_LEVEL": "1", "TF_CPP_MIN_LOG_LEVEL": "0"}}),
        Toggle("eager", "run the step eagerly", role="control"),
        Toggle("print_loss", "print the loss", role="control"),
        Toggle("wait", "wait for the device", role="control"),
    ),
    sizes=(
        Size("batch", 256, 2, 4096, "examples in the batch, and points in the chart"),
        Size("width", 64, 2, 2048, "inputs and hidden units of the network"),
    ),
    expectation=Expectation(
        shape="ramp",
        steps=120,
        growth=1.0,
        per_step={"lines": 1},
        places=("drawing the chart",),
    ),
    notebook="11_observer.ipynb",
    lanes=("lines", "ops_run", "nodes_written"),
    counters=(Column("lines", "lines in the chart", "lines", "counter"),),
    functions={"draw": "drawing the chart"},
    probes=("eager", "rewriting"),
    explanations=(
        Explanation(
            "TBNotInstalledError",
            "",
            "tf.summary.scalar is part of the package tensorboard, which TensorFlow 2.21 no longer "
            "brings along; tf.summary.write is TensorFlow's own and still works.",
        ),
    ),
)  # fmt: skip
