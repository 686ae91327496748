"""What a learner would draw a live curve with otherwise: cells for the kernel that is measured."""

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
