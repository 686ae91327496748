"""What one live update costs the kernel: the panel, and two rivals that draw in Python.

All three show the same curve in the same kernel and are asked by the same kind of message. CPU is
the kernel's process time over many updates, divided by their number.
"""

from __future__ import annotations

from tools.bench.figure import Figure
from tools.bench.kernel import Kernel

COUNTS = (50, 5_000)
UPDATES = 300
RIVAL_UPDATES = 40
NEW_STEPS = 10

SETUP = """
import time
import labkit as lk

def lab_of(count):
    lab = lk.Lab("graph_growth", steps=count, size=2, build_once="on")
    lab._repr_mimebundle_()
    lab.player.start({})
    lab.player.current.wait(90)
    assert lab.player.current.count == count, lab.player.current.state
    return lab

labs = {count: lab_of(count) for count in (50, 5_000)}
"""
# Both rivals do as their users do: one line object, its data replaced, axes fitted, drawn again.
RIVALS = """
import io
import itertools
import ipywidgets as widgets
import matplotlib.pyplot as plt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from ipympl.backend_nbagg import Canvas, FigureManager

SIZE = (11.0, 3.4)

def on_ask(show):
    asked = widgets.Label()
    def answer(widget, content, buffers):
        show()
        widget.send({"id": content["id"]})
    asked.on_msg(answer)
    return asked

turns = itertools.count()

def redraw(axes, line, seconds):
    # A picture that does not change would not be sent.
    seconds = seconds[: len(seconds) - next(turns) % 10]
    line.set_data(range(1, len(seconds)), [second * 1e3 for second in seconds[1:]])
    axes.relim()
    axes.autoscale_view()

def curve(axes):
    axes.set_xlabel("step")
    axes.set_ylabel("ms a step")
    return axes.plot([], [])[0]

def png(seconds):
    figure = Figure(figsize=SIZE)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    line = curve(axes)
    image = widgets.Image(format="png")
    def show():
        redraw(axes, line, seconds)
        picture = io.BytesIO()
        canvas.print_png(picture)
        image.value = picture.getvalue()
    return on_ask(show)

def live(seconds):
    figure = Figure(figsize=SIZE)
    canvas = Canvas(figure)
    manager = FigureManager(canvas, 1)
    axes = figure.add_subplot()
    line = curve(axes)
    def show():
        redraw(axes, line, seconds)
        canvas.draw()
    return on_ask(show)

rivals = {
    (name, count): make(list(labs[count].run.steps.seconds))
    for name, make in (("png", png), ("ipympl", live))
    for count in labs
}
"""


def measure() -> list[Figure]:
    """Return the milliseconds of kernel CPU an update, at 50 and at 5,000 steps on show."""
    group = "kernel CPU an update"
    with Kernel() as kernel:
        kernel.run(SETUP)
        ours = {count: _panel(kernel, count) for count in COUNTS}
        figures = [
            Figure(group, f"panel, {count:,} steps on show", ms, "ms", 1.0, _bytes(size))
            for count, (ms, size) in ours.items()
        ]
        growth = ours[COUNTS[1]][0] / ours[COUNTS[0]][0]
        figures.append(Figure(group, "panel, 5,000 steps over 50 steps", growth, "x", 1.25))
        figures += [
            Figure(
                group, f"one judgement, {count:,} steps", _judgement(kernel, count), "ms",
                note="at most once a second and 2 % of the time",
            )
            for count in COUNTS
        ]  # fmt: skip
        kernel.run(RIVALS)
        for name, title in (("png", "matplotlib PNG"), ("ipympl", "ipympl")):
            for count in COUNTS:
                ms, size = _rival(kernel, name, count)
                words = f"{title} (rival), {count:,} steps on show"
                figures.append(Figure(group, words, ms, "ms", note=_bytes(size)))
    return figures


def _panel(kernel: Kernel, count: int) -> tuple[float, float]:
    """Ask for the newest steps, as the view of a run in progress does."""
    widget = kernel.value(f"labs[{count}]._view.model_id")
    run = kernel.value(f"labs[{count}].player.current.name")
    pull = {"t": "pull", "run": run, "since": count - NEW_STEPS, "marks": 0, "max": 2_000}
    return _cost(kernel, widget, pull, UPDATES)


def _rival(kernel: Kernel, name: str, count: int) -> tuple[float, float]:
    widget = kernel.value(f"rivals[{name!r}, {count}].model_id")
    return _cost(kernel, widget, {}, RIVAL_UPDATES)


def _cost(
    kernel: Kernel, widget: str, message: dict[str, object], times: int
) -> tuple[float, float]:
    """Return milliseconds of kernel CPU and bytes to the browser, each for one update."""
    for warming in range(5):
        kernel.ask(widget, {**message, "id": f"w:{warming}"})
    before = kernel.value("time.process_time()")
    size = sum(kernel.ask(widget, {**message, "id": f"n:{number}"}) for number in range(times))
    spent = kernel.value("time.process_time()") - before
    return spent / times * 1e3, size / times


def _judgement(kernel: Kernel, count: int) -> float:
    kernel.run(
        f"player = labs[{count}].player\nplayer.judge(player.current)\n"
        "began = time.process_time()\n"
        "for _ in range(10):\n    player.judge(player.current)\n"
        "spent = (time.process_time() - began) / 10"
    )
    return float(kernel.value("spent")) * 1e3


def _bytes(size: float) -> str:
    return f"{size / 1e3:.1f} kB to the browser"
