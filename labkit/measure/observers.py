"""Watching the loop, as its author does it: charts, prints, checks of all numbers, the profiler.

Drawing is matplotlib's (public names of 3.x), hooked in once the loop has imported it; `print` is
Python's own, which makes the words of what it prints as well; the others are private names of
TensorFlow 2.19-2.21. All are declared here and nowhere else; one that is missing leaves its place
unmeasured. Not seen is a `print` that got another name before it was hooked in.
"""

from __future__ import annotations

from labkit.measure.choke import PrivateName
from labkit.measure.counting import CountingProbe
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.record import Column

DRAWING = ("drawing", "drawing figures")
DRAWINGS = (
    *(PrivateName("matplotlib.figure", "Figure", name, *DRAWING)
      for name in ("draw", "savefig", "add_subplot", "add_axes", "subplots", "clear",
                   "tight_layout")),
    PrivateName("matplotlib.backends.backend_agg", "FigureCanvasAgg", "draw", *DRAWING),
    PrivateName("matplotlib.backend_bases", "FigureCanvasBase", "print_figure", *DRAWING),
    *(PrivateName("matplotlib.axes", "Axes", name, *DRAWING)
      for name in ("plot", "scatter", "bar", "hist", "imshow", "legend", "clear")),
    *(PrivateName("matplotlib.pyplot", "", name, *DRAWING)
      for name in ("figure", "subplots", "close", "pause", "show")),
)  # fmt: skip
CHECKS = (
    PrivateName("tensorflow.python.debug.lib.check_numerics_callback", "CheckNumericsCallback",
                "callback", "number_checks", "checking all numbers"),
    PrivateName("tensorflow.python.debug.lib.dumping_callback", "_DumpingCallback",
                "callback", "number_checks", "checking all numbers"),
)  # fmt: skip
# Where the public name lies: it holds the function itself, so a hook further in is never passed.
PROFILER = tuple(
    PrivateName("tensorflow._api.v2.profiler.experimental", "", name, "profiler", "the profiler")
    for name in ("start", "stop")
)

PRINT = PrivateName("builtins", "", "print", "printing", "printing")


class ObserversProbe(CountingProbe):
    """Books what watching costs; counts the drawings.

    Args:
        places: The stopwatch.
    """

    columns = (Column("drawings", "figures drawn in the step", "drawings", "counter"),)
    anew = ("drawings",)

    def __init__(self, places: Places) -> None:
        super().__init__(places)
        self.points.hook((*CHECKS, *PROFILER, PRINT))
        self.late.hook(DRAWINGS[:1], after=self.count)
        self.late.hook(DRAWINGS[1:])


def probe(hooks: Hooks) -> ObserversProbe:
    """Return the probe for a worker; costs next to nothing where nothing is drawn or printed."""
    return ObserversProbe(hooks.places)
