"""A recording's curve as SVG text, with the one it is to be compared with behind it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from labkit.record import Run
from labkit.show.chart_lanes import LANE_HEIGHT, lanes
from labkit.show.chart_pieces import WIDTH, Box
from labkit.show.curve import Curve, curve_of, top_milliseconds
from labkit.show.curve_plot import above, drawn_curve, grid, points
from labkit.show.markup import Markup, element
from labkit.show.series import Series

TOP, PLOT_HEIGHT, AXIS_HEIGHT = 24, 220, 34
MOST_POINTS = 300
GHOST = "#c25500"


def chart(run: Run, other: Run | None, alt: str, counters: Sequence[Series]) -> Markup:
    """Draw the steps of a recording; the very first, TensorFlow's start-up, is left out.

    Args:
        run: At least two steps.
        other: Drawn dashed on the same scale; None for none.
        alt: The picture in words.
        counters: What to draw below it.
    """
    curve = _curve(run)
    curves = [curve] if other is None else [curve, _curve(other)]
    last = max(each.count for each in curves) - 1
    plot = Box(TOP, TOP + PLOT_HEIGHT, last, 0.0, top_milliseconds(curves))
    below = TOP + PLOT_HEIGHT + AXIS_HEIGHT
    drawn = lanes(below, last, counters, run.events)
    return element(
        "svg", grid(plot), *(_ghost(plot, each) for each in curves[1:]),
        drawn_curve(plot, curve), above(plot, curve), *drawn,
        viewBox=f"0 0 {WIDTH} {below + len(drawn) * LANE_HEIGHT + 2}", role="img", aria_label=alt,
        class_="lk-chart", font_size="12", font_family="sans-serif", fill="currentColor",
    )  # fmt: skip


def _curve(run: Run) -> Curve:
    return curve_of(np.asarray(run.steps.seconds) * 1e3, MOST_POINTS)


def _ghost(plot: Box, curve: Curve) -> Markup:
    return element(
        "polyline", points=" ".join(points(plot, curve.steps, curve.means)), fill="none",
        stroke=GHOST, stroke_width="1.6", stroke_dasharray="7 4", class_="ghost",
    )  # fmt: skip
