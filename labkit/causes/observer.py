"""The observer: a training loop that is watched, and slows down because of that.

What goes wrong: a chart that is drawn anew at every step is a program of its own. Code that calls
``plot`` for each update, and never clears, leaves one more line in the chart each time; the next
drawing draws them all. The train step is the same as ever, the curve rises all the same.

What to expect: step time and the number of lines rise together, and the time is spent in ``draw``.
A chart that updates its one line is expensive and flat. Numeric checks, a verbose log, a profiler
left on and summaries cost something at every step, and none of them grows. A histogram looks at
each weight, so it costs many times as much as the one number of a loss. A remote tracker costs what
it takes to answer, unless a thread waits for that. Printing the loss and waiting for the device
look guilty and cost next to nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from http.client import HTTPConnection
from types import SimpleNamespace
from typing import Any

from labkit.cause import Cause, Expectation, Explanation, Loop, Size, Toggle
from labkit.cause.far_end import Tracking
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


class Summaries:
    """TensorFlow's summaries, in files of a folder."""

    def __init__(self, folder: str) -> None:
        import tensorflow as tf

        self._folder = folder
        self._writer = tf.summary.create_file_writer(folder)

    def write(self, kind: str, step: int, loss: Any, weights: Sequence[Any]) -> None:
        """Write one number, the loss, or a histogram of each weight."""
        import tensorflow as tf

        with self._writer.as_default(step=step):
            if kind in ("scalar", "write"):
                getattr(tf.summary, kind)("loss", loss)
                return
            for name, weight in zip(("hidden", "output"), weights, strict=True):
                if kind == "histogram":
                    tf.summary.histogram(name, weight)
                    continue
                to = {"writer": self._raw_writer, "step": step, "tag": name}
                tf.raw_ops.WriteHistogramSummary(values=weight, **to)

    @cached_property
    def _raw_writer(self) -> Any:
        # Of TensorFlow's own op for histograms, which needs no TensorBoard.
        import tensorflow as tf

        writer = tf.raw_ops.SummaryWriter(shared_name="raw", container="")
        often = {"max_queue": 10, "flush_millis": 120_000}  # as `tf.summary` does
        tf.raw_ops.CreateSummaryFileWriter(
            writer=writer, logdir=self._folder, filename_suffix="", **often
        )
        return writer


def report(tracker: HTTPConnection, losses: list[float]) -> None:
    """Send losses to the tracker, and wait until it has answered."""
    tracker.request("POST", "/losses", json.dumps(losses))
    tracker.getresponse().read()


class Profiler:
    """TensorFlow's profiler, switched on and off; ``profiles`` counts those in files."""

    def __init__(self, folder: str) -> None:
        self.profiles = 0
        self._folder, self._is_on = folder, False

    def switch(self, on: object) -> None:
        import tensorflow as tf

        if self._is_on and not on:
            tf.profiler.experimental.stop()  # its file is written now
            self.profiles += 1
        elif on and not self._is_on:
            # A folder for each: a file has the second it began in its name, and no more.
            tf.profiler.experimental.start(f"{self._folder}/profile-{self.profiles}")
        self._is_on = bool(on)


def make_step(
    toggles: SimpleNamespace, *, batch: int = 256, width: int = 64, answer: int = 20,
    profile_every: int = 0, seed: int = 0,
) -> Loop:  # fmt: skip
    """Return a step that trains a small network, and charts the error of each example.

    Args:
        toggles: ``chart``, ``check_numerics``, ``summaries``, ``tracker``, ``profiler``,
            ``eager``, ``print_loss`` and ``wait``, read at every step.
        batch: Examples in the batch, and points in the chart.
        width: Inputs and hidden units of the network.
        answer: How many milliseconds the tracker takes to answer.
        profile_every: Steps from one profile, which goes to a file, to the next; 0 for none.
        seed: Of the batch and the weights.
    """
    import tempfile

    import matplotlib
    import numpy as np
    import tensorflow as tf
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    matplotlib.rcdefaults()  # a matplotlibrc of the folder's may ask for another program to be run
    random = np.random.default_rng(seed)
    data, target = (tf.constant(random.normal(size=(batch, n)), tf.float32) for n in (width, 1))
    start = (random.normal(size=(width, n)) / width for n in (width, 1))
    weights = [tf.Variable(each, dtype=tf.float32) for each in start]
    axes = FigureCanvasAgg(Figure(figsize=(4, 3))).figure.subplots()
    folder = tempfile.mkdtemp()
    summaries, profiler = Summaries(folder), Profiler(folder)
    # Found by its name at each report, for labkit times it under that.
    tracking = Tracking(answer / 1000, lambda *losses: report(*losses))
    number = waits = 0
    checking = False

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
        nonlocal checking, number, waits

        if toggles.check_numerics != checking:
            checking = toggles.check_numerics
            switch = "enable" if checking else "disable"
            getattr(tf.debugging, f"{switch}_check_numerics")()
        profiler.switch(toggles.profiler or (profile_every and number % profile_every == 0))

        loss, errors = train.python_function() if toggles.eager else train()
        number += 1

        if toggles.chart != "off":
            draw(axes, errors.numpy(), toggles.chart)
        if toggles.summaries != "off":
            summaries.write(toggles.summaries, number, loss, weights)
        if toggles.tracker != "off":
            tracking.take(toggles.tracker, number, float(loss))
        if toggles.print_loss:
            print(f"step {number}: loss {float(loss):.4f}")
        if toggles.wait:
            tf.test.experimental.sync_devices()
            waits += 1
        return loss

    return Loop(step, {
        "lines": lambda: len(axes.lines),
        "reports": lambda: tracking.counts.reports,
        "losses_reported": lambda: tracking.counts.losses,
        "waits": lambda: waits,
        "profiles": lambda: profiler.profiles,
    })  # fmt: skip


CAUSE = Cause(
    slug="observer",
    title="The observer",
    summary="The chart that watches the loop draws one more line at every step.",
    make_step=make_step,
    toggles=(
        Toggle("chart", "chart", default="adds_line",
               choices=("off", "adds_line", "updates", "clears")),
        Toggle("check_numerics", "check all numbers"),
        Toggle("summaries", "summaries",
               choices=("off", "scalar", "write", "histogram", "raw_histogram")),
        Toggle("tracker", "tracker", choices=("off", "each_step", "every_10", "in_thread")),
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
        Size("profile_every", 0, 0, 1_000, "steps from one profile to the next; 0 for none"),
        Size("answer", 20, 0, 1_000, "milliseconds the tracker takes to answer"),
    ),
    expectation=Expectation(
        shape="ramp",
        steps=120,
        growth=1.0,
        per_step={"lines": 1}, places=("drawing the chart",),
    ),
    notebook="12_observer.ipynb",
    lanes=("lines", "ops_run", "nodes_written"),
    counters=(
        Column("lines", "lines in the chart", "lines", "counter"),
        Column("reports", "reports that the tracker answered", "reports", "counter"),
        Column("losses_reported", "losses that the tracker has", "losses", "counter"),
        Column("waits", "waits for the device", "waits", "counter"),
        Column("profiles", "profiles written to files", "profiles", "counter"),
    ),
    functions={"draw": "drawing the chart", "report": "waiting for the tracker"},
    probes=("eager", "rewriting"),
    explanations=(
        Explanation(
            "TBNotInstalledError", "",
            "tf.summary.scalar and tf.summary.histogram are part of the package tensorboard, which "
            "TensorFlow 2.21 no longer brings along; tf.summary.write is TensorFlow's own and "
            "still works.",
        ),
    ),
)  # fmt: skip
