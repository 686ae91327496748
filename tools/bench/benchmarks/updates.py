"""What one live update costs the kernel: the panel, and two rivals that draw in Python.

All three show the same curve in the same kernel and are asked by the same kind of message. CPU is
the kernel's process time over many updates, divided by their number.
"""

from __future__ import annotations

from statistics import median

from tools.bench.benchmarks.kernel import Kernel, fresh_kernel
from tools.bench.figure import Figure

GROUP = "kernel CPU an update"
COUNTS = (50, 5_000)
UPDATES = 60
RIVAL_UPDATES = 40
NEW_STEPS = 10

SETUP = """
import time
import ipywidgets as widgets
import labkit as lk

def lab_of(count):
    lab = lk.Lab("graph_growth", steps=count, size=2, build_once="on")
    lab._repr_mimebundle_()
    lab.player.start({})
    lab.player.current.wait(90)
    assert lab.player.current.count == count, lab.player.current.state
    return lab

echo = widgets.Label()
echo.on_msg(lambda widget, content, buffers: widget.send({"id": content["id"]}))
"""
# Both rivals do as their users do: one line object, its data replaced, axes fitted, drawn again.
RIVALS = """
import io
import itertools
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
    axes.set_ylabel("ms per step")
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
FLOOR_NOTE = "ipykernel's own part, in every line of this table"


def measure() -> list[Figure]:
    """Return the milliseconds of kernel CPU an update, at 50 and at 5,000 steps on show."""
    with fresh_kernel() as kernel:
        kernel.run(SETUP)
        kernel.run(f"labs = {{count: lab_of(count) for count in {COUNTS}}}")
        return _panel(kernel) + _judgements(kernel) + _rivals(kernel)


def _panel(kernel: Kernel) -> list[Figure]:
    """Ask for the newest steps, as the view of a run in progress does, and for nothing at all."""
    asked: dict[int, tuple[str, dict[str, object]]] = {0: (kernel.value("echo.model_id"), {})}
    for count in COUNTS:
        run = kernel.value(f"labs[{count}].player.current.name")
        since = {"since": count - NEW_STEPS, "marks": 0, "max": 2_000}
        widget = kernel.value(f"labs[{count}]._view.model_id")
        asked[count] = widget, {"t": "pull", "run": run, **since}
    # Turn about, because a shared machine is quicker in one second than in the next.
    rounds = [{count: _cost(kernel, *asked[count], UPDATES) for count in asked} for _ in range(7)]
    ms = {count: median(costs[count][0] for costs in rounds) for count in asked}
    figures = [
        Figure(GROUP, f"panel, {count:,} steps on show", ms[count], "ms", 1.0,
               _bytes(rounds[0][count][1]))
        for count in COUNTS
    ]  # fmt: skip
    figures.append(Figure(GROUP, "a widget that only answers", ms[0], "ms", note=FLOOR_NOTE))
    growth = median(costs[COUNTS[1]][0] / costs[COUNTS[0]][0] for costs in rounds)
    return [*figures, Figure(GROUP, "panel, 5,000 steps over 50 steps", growth, "x", 1.25)]


def _judgements(kernel: Kernel) -> list[Figure]:
    note = "at most once a second and 2 % of the time"
    figures = []
    for count in COUNTS:
        kernel.run(
            f"player = labs[{count}].player\nplayer.judge(player.current)\n"
            "began = time.process_time()\n"
            "for _ in range(10):\n    player.judge(player.current)\n"
            "spent = (time.process_time() - began) / 10"
        )
        ms = float(kernel.value("spent")) * 1e3
        figures.append(Figure(GROUP, f"one judgement, {count:,} steps", ms, "ms", note=note))
    return figures


def _rivals(kernel: Kernel) -> list[Figure]:
    kernel.run(RIVALS)
    figures = []
    for name, title in (("png", "matplotlib PNG"), ("ipympl", "ipympl")):
        for count in COUNTS:
            widget = kernel.value(f"rivals[{name!r}, {count}].model_id")
            ms, size = _cost(kernel, widget, {}, RIVAL_UPDATES)
            words = f"{title} (rival), {count:,} steps on show"
            figures.append(Figure(GROUP, words, ms, "ms", note=_bytes(size)))
    return figures


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


def _bytes(size: float) -> str:
    return f"{size / 1e3:.1f} kB to the browser"
